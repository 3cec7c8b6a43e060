import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { grantCommand } from '../../../cli/grant/command';
import { runProcess } from '../../support/command';
import { devOpsJobs, gitHubJobs, textOf } from '../../support/pipelineFiles';

// The workflows for access on demand that a second person approves. What it does not prove: that the services ask for the approval.

const gitHub = '.github/workflows/grant.yml';
const devOps = '.azure-pipelines/grant.yml';

const folder = mkdtempSync(path.join(tmpdir(), 'grant-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Workflow {
  readonly on: Record<string, { readonly inputs: Record<string, unknown> }>;
  readonly jobs: Record<'grant', { readonly permissions: Record<string, string> }>;
}

it('are started by hand only, on GitHub with no right but to sign in', () => {
  const { on, jobs } = parse(textOf(gitHub)) as Workflow;
  expect(Object.keys(on)).toEqual(['workflow_dispatch']);
  expect(jobs.grant.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(parse(textOf(devOps))).toMatchObject({ trigger: 'none', pr: 'none' });
});

it('ask for the same inputs', () => {
  const { on } = parse(textOf(gitHub)) as Workflow;
  const { parameters } = parse(textOf(devOps)) as { parameters: { name: string }[] };
  expect(parameters.map(({ name }) => name)).toEqual(Object.keys(on.workflow_dispatch?.inputs ?? {}));
});

it.each([
  ['GitHub', gitHubJobs(gitHub)],
  ['Azure DevOps', devOpsJobs(devOps)],
])('run in an environment of the stack, which is approved: %s', (_, jobs) => {
  expect(jobs.map(({ environment }) => environment)).toEqual([
    expect.stringMatching(/^grant-\$\{\{ (inputs|parameters)\.stack \}\}$/),
  ]);
  expect(textOf(devOps)).toContain('environment: aks-workload-identity-grant-${{ parameters.stack }}\n');
});

it('pass what was entered as arguments of the command, also if it looks like one', async () => {
  const [{ commands } = { commands: [] }] = gitHubJobs(gitHub);
  writeFileSync(path.join(folder, 'node'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const entered = {
    ...{ STACK: 'prod', APPLICATION: '--dry-run', SECRET: '"; touch x; "', DURATION: '30m' },
    REASON: '$(touch x) `touch x` INC-1042',
  };

  const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, ...entered };
  const { stdout } = await runProcess('bash', ['-c', commands[0] ?? ''], env, { cwd: folder });

  const [program, ...args] = stdout.trimEnd().split('\n');
  expect(program).toBe('cli/bin.mjs');
  expect(args).toEqual([
    ...['pipeline', 'run', '--stack', 'prod', 'grant'],
    ...['--application=--dry-run', '--secret="; touch x; "', '--for=30m'],
    ...['--reason=$(touch x) `touch x` INC-1042', '--yes'],
  ]);
  const known = grantCommand().options.map(({ long }) => long);
  for (const arg of args.slice(5)) expect(known).toContain(arg.split('=')[0]);
});

it('let no parameter of Azure DevOps name a variable, whose value the service would put in its place', () => {
  const { variables } = parse(textOf(devOps)) as { variables: { name: string; value: string }[] };
  const [, ...free] = variables;
  for (const { name, value } of free)
    expect(value).toBe(`\${{ replace(parameters.${name.toLowerCase()}, '$', '') }}`);
  // The stack is one of a list.
  expect(textOf(devOps)).toContain('values: [dev, prod]');
});
