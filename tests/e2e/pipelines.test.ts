/**
 * Both pipelines from a clean clone, each command of their files, against the local cloud: signed in with federation with an
 * issuer whose documents Entra fetches, as identities that the stack `bootstrap` makes. It does not prove what the two
 * services do around the commands: approvals, artifacts, checkouts.
 *
 * The tests are steps of one story and run in order.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { requireServing } from '../../localcloud/commands/cloud';
import { openInstanceToolchain, pulumiContext } from '../../localcloud/commands/context';
import { locateStack } from '../../localcloud/commands/localStack';
import { installPlugins } from '../../localcloud/commands/plugins';
import { locateInstance } from '../../localcloud/daemon/instance';
import { projectRoot, runProcess, type Finished } from '../support/command';
import { grantsSuite } from './grants.suite';
import { configuration, filled, grantJob, identitiesFor } from './pipelineSettings';
import { releases, settings, subjectOf } from './pipelineSettings';
import { localCloud } from '../support/localCloud';
import { devOpsJobs, gitHubJobs, type PipelineJob } from '../support/pipelineFiles';
import { PullRequestServer } from '../support/pullRequestServer';
import { TokenIssuer } from '../support/tokenIssuer';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('pipelines');
const instance = locateInstance(projectRoot, { ...process.env, AKS_WI_STATE: cloud.state });
const issuer = new TokenIssuer();
const hosting = new PullRequestServer();
const clone = path.join(cloud.state, 'clone');
const workspace = path.join(cloud.state, 'workspace');
const environments = ['preview-dev', 'preview-prod', 'dev', 'prod', 'grant-dev'];
const stacks = ['dev', 'prod'];

/** Of the engine and the local cloud; no credential. */
let tools: Record<string, string>;
let administrator: Record<string, string>;
let clients: Record<string, { clientId: string; tenantId: string }>;
let resourceGroups: Record<string, string>;

async function succeed(
  file: string,
  args: string[],
  env: Record<string, string>,
  cwd = clone,
): Promise<string> {
  const { code, stdout, stderr } = await runProcess(file, args, env, { cwd });
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}
const git = (...args: string[]) =>
  succeed('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {}, clone);

/** What both systems set in an environment. */
const stored = (environment: string): Record<string, string> => ({
  ARM_CLIENT_ID: clients[`id-pipeline-${environment}`]?.clientId ?? '',
  ARM_TENANT_ID: clients[`id-pipeline-${environment}`]?.tenantId ?? '',
  ARM_SUBSCRIPTION_ID: administrator.ARM_SUBSCRIPTION_ID ?? '',
  PULUMI_BACKEND_URL: tools.PULUMI_BACKEND_URL ?? '',
  PULUMI_CONFIG_PASSPHRASE: administrator.PULUMI_CONFIG_PASSPHRASE ?? '',
});

/** Changes the stack file of `dev`, and deploys it as a person who may assign each role. */
async function deployAsPerson(change: (text: string) => string, secret: string): Promise<void> {
  const file = path.join(clone, 'Pulumi.dev.yaml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const pulumi = (...args: string[]) =>
    succeed('pulumi', [...args, '--stack', 'dev', '--non-interactive'], administrator);
  await pulumi('config', 'set', '--secret', '--path', `secretValues.${secret}`, 'of dev');
  await git('commit', '--quiet', '--all', '--message', 'By a person');
  await pulumi('up', '--yes', '--skip-preview');
}

/** What the systems check out: main, or the merge of a pull request into it. */
let checkedOut = 'main';

/** Runs the commands of a job of a pipeline, as the system would. */
async function runJob(
  system: 'gitHub' | 'devOps',
  job: PipelineJob,
  variables: Record<string, string> = {},
): Promise<Finished> {
  await git('checkout', '--quiet', '--force', checkedOut);
  const jobSettings = stored(job.environment);
  issuer.subject = subjectOf[system](job.environment);
  const of = {
    ...jobSettings,
    token: hosting.token,
    'System.AccessToken': hosting.token,
    'Pipeline.Workspace': workspace,
  };
  const context =
    system === 'gitHub'
      ? { ...hosting.variables.gitHub, ...issuer.gitHubVariables, GITHUB_ACTIONS: 'true', GITHUB_TOKEN: '' }
      : {
          ...{ ...hosting.variables.devOps, TF_BUILD: 'True', SYSTEM_ACCESSTOKEN: '' },
          // A variable group's; those of the service connection are the task's.
          ...{ ARM_SUBSCRIPTION_ID: jobSettings.ARM_SUBSCRIPTION_ID ?? '' },
          ...{
            servicePrincipalId: jobSettings.ARM_CLIENT_ID ?? '',
            tenantId: jobSettings.ARM_TENANT_ID ?? '',
          },
          idToken: issuer.token(issuer.subject),
        };
  const result = { code: 0, stdout: '', stderr: '' };
  for (const command of job.commands) {
    const own = Object.fromEntries(Object.entries(job.env).map(([key, value]) => [key, filled(value, of)]));
    const env = { ...tools, ...context, ...own, ...variables };
    const { code, stdout, stderr } = await runProcess('bash', ['-c', filled(command, of)], env, {
      cwd: clone,
    });
    result.code = code;
    result.stdout += stdout;
    result.stderr += stderr;
    if (code !== 0) break;
  }
  return result;
}

const jobs = {
  gitHub: [...gitHubJobs(), ...gitHubJobs('.github/workflows/drift.yml')],
  devOps: [...devOpsJobs(), ...devOpsJobs('.azure-pipelines/drift.yml')],
};
async function job(
  system: 'gitHub' | 'devOps',
  name: string,
  variables?: Record<string, string>,
): Promise<string> {
  const found = jobs[system].find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`${system} has no job ${name}`);
  const { code, stdout, stderr } = await runJob(system, found, variables);
  if (code !== 0) throw new Error(`job ${name} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout + stderr;
}

beforeAll(async () => {
  await cloud.start();
  await issuer.start(instance.folder);
  await hosting.start();
  const toolchain = openInstanceToolchain(instance);
  const { env } = await pulumiContext(instance, requireServing(instance), toolchain, locateStack(instance));
  installPlugins(instance);
  mkdirSync(instance.pulumiBackend, { recursive: true });
  administrator = { ...env, WI_LOCATION: 'westeurope' };
  const secret = /^(ARM|AZURE)_|PASSPHRASE|^(PULUMI_STACK|AKS_WI_CONFIG_FILE)$/;
  tools = Object.fromEntries(Object.entries(administrator).filter(([name]) => !secret.test(name)));
}, 15 * 60_000);
afterAll(async () => {
  await issuer.stop();
  await hosting.stop();
  await cloud.clean();
});

describe('the first steps, which a person does', () => {
  it('clones the repository, with settings and encrypted values of its own', async () => {
    const origin = path.join(cloud.state, 'origin.git');
    await succeed('git', ['clone', '--quiet', '--bare', projectRoot, origin], {}, projectRoot);
    await succeed('git', ['clone', '--quiet', origin, clone], {}, projectRoot);
    await git('checkout', '--quiet', '-B', 'main');
    // In place of `npm ci`.
    symlinkSync(path.join(projectRoot, 'node_modules'), path.join(clone, 'node_modules'));
    expect(existsSync(path.join(clone, '.state'))).toBe(false);
  });

  it('deploys bootstrap: groups, identities, trust and roles', async () => {
    const file = path.join(clone, 'bootstrap', 'Pulumi.pipelines.yaml');
    const values = {
      location: 'westeurope',
      resourceGroup: 'rg-pipelines',
      identities: identitiesFor(environments, issuer.url),
    };
    writeFileSync(file, stringify({ config: configuration('aks-workload-identity-bootstrap', values) }));
    const pulumi = (...args: string[]) =>
      succeed(
        'pulumi',
        ['-C', 'bootstrap', ...args, '--stack', 'pipelines', '--non-interactive'],
        administrator,
      );
    await pulumi('stack', 'init');
    await pulumi('up', '--yes', '--skip-preview');
    ({ clients, resourceGroups } = JSON.parse(await pulumi('stack', 'output', '--json')) as {
      clients: typeof clients;
      resourceGroups: typeof resourceGroups;
    });
    expect(Object.keys(clients).sort()).toEqual([
      'id-pipeline-dev',
      'id-pipeline-grant-dev',
      'id-pipeline-preview-dev',
      'id-pipeline-preview-prod',
      'id-pipeline-prod',
    ]);
  });

  it('commits the settings of both stacks', async () => {
    for (const stack of stacks) {
      const file = path.join(clone, `Pulumi.${stack}.yaml`);
      const config = configuration(
        'aks-workload-identity',
        settings(stack, resourceGroups[`rg-pipe-${stack}`] ?? ''),
      );
      writeFileSync(file, stringify({ config }));
      const pulumi = (...args: string[]) =>
        succeed('pulumi', [...args, '--stack', stack, '--non-interactive'], administrator);
      await pulumi('stack', 'init');
      for (const name of stack === 'dev' ? ['orders-db', 'orders-key'] : ['orders-db'])
        await pulumi('config', 'set', '--secret', '--path', `secretValues.${name}`, `${name} of ${stack}`);
    }
    writeFileSync(path.join(clone, 'applications', 'orders.yaml'), stringify(releases));
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'Settings');
    await git('push', '--quiet', 'origin', 'main');
    // The merge of a pull request that weakens the policies of dev.
    await git('checkout', '--quiet', '-b', 'author');
    const file = path.join(clone, 'Pulumi.dev.yaml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('production: false', 'production: false\n    level: advisory'),
    );
    await git('commit', '--quiet', '--all', '--message', 'Advisory');
    await git('checkout', '--quiet', '-b', 'pull', 'main');
    await git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'author');
    await git('checkout', '--quiet', 'main');
  });
});

describe('a pull request on GitHub', () => {
  const pull = { GITHUB_REF: 'refs/pull/7/merge', GITHUB_BASE_REF: 'main' };
  beforeAll(() => (checkedOut = 'pull'));
  afterAll(() => (checkedOut = 'main'));

  it('gets one comment a stack: who could read what, and what the preview counts', async () => {
    for (const stack of stacks) await job('gitHub', `preview_${stack}`, pull);

    expect(hosting.comments.map(({ text }) => text.split('\n', 1)[0])).toEqual([
      '<!-- aks-wi access dev -->',
      '<!-- aks-wi access prod -->',
    ]);
    expect(hosting.comments.map(({ text }) => text.split('\n', 4).slice(1))).toEqual([
      ['### ⚠️ Policies', '', expect.stringContaining('`policies.level` is not set in main')],
      expect.arrayContaining([expect.stringContaining('### Who can use what')]),
    ]);
    expect(hosting.comments[0]?.text).toMatch(
      /\| \*\*gained\*\* \| aks-dev\/orders\/orders \| \S+ \| .*kv-pipelines-dev\/orders-key \|/,
    );
    expect(hosting.comments[0]?.text).toMatch(
      /#### Preview of dev\n\n```\nResources:\n +\+ \d+ to create\n```/,
    );
  });
});

describe('a commit to main, by GitHub Actions', () => {
  it('is previewed, and deployed to dev and verified', async () => {
    for (const stack of stacks) await job('gitHub', `preview_${stack}`);
    const output = await job('gitHub', 'dev');
    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
  });

  it('is not deployed to prod with an approval that has expired, or of another commit', async () => {
    const file = path.join(clone, 'approval-prod.json');
    const approved = readFileSync(file, 'utf8');
    const old = { ...(JSON.parse(approved) as object), previewedAt: '2026-01-01T00:00:00.000Z' };
    writeFileSync(file, JSON.stringify(old));
    await expect(job('gitHub', 'prod')).rejects.toThrow(
      /The approval of prod has expired: its preview is from 2026-01-01/,
    );
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(approved) as object), commit: 'abc' }));
    await expect(job('gitHub', 'prod')).rejects.toThrow(/The approved preview is of commit abc/);
    writeFileSync(file, approved);
    expect(await cloud.urns('prod')).toEqual([]);
  });

  it('is deployed to prod after the approval, and verified', async () => {
    expect(await job('gitHub', 'prod')).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
  });

  it('is promoted by a pull request', async () => {
    await job('gitHub', 'promote');

    expect(hosting.opened).toMatchObject([
      { branch: 'promote/dev-to-prod', base: 'main', title: 'Promote dev to prod' },
    ]);
    expect(hosting.opened[0]?.text).toContain((await git('rev-parse', 'main')).trim());
    const promoted = await git('show', 'origin/promote/dev-to-prod:applications/orders.yaml');
    expect(parse(promoted)).toMatchObject({ environments: { dev: '0.2.0', prod: '0.2.0' } });
  });
});

describe('what a pipeline is refused', () => {
  it('without its variable group: all that is missing, and where it is set', async () => {
    const [preview] = jobs.devOps;
    if (preview === undefined) throw new Error('no job');
    const { code, stderr } = await runJob('devOps', preview, {
      ...{
        ARM_SUBSCRIPTION_ID: '',
        PULUMI_BACKEND_URL: '$(PULUMI_BACKEND_URL)',
        PULUMI_CONFIG_PASSPHRASE: '$(X)',
      },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The pipeline lacks 3 of what stack dev needs; nothing was changed.');
    expect(stderr).toContain(
      'PULUMI_BACKEND_URL (or PULUMI_ACCESS_TOKEN): the variable group aks-workload-identity-preview-dev',
    );
  });

  it('with a subject that does not match: which, and where it is trusted', async () => {
    const dev = jobs.gitHub.find(({ name }) => name === 'dev');
    if (dev === undefined) throw new Error('no job');
    const { code, stderr } = await runJob('gitHub', dev, {
      ARM_CLIENT_ID: clients['id-pipeline-prod']?.clientId ?? '',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /cannot sign in as .*: does not match: no federated credential of the identity has the subject/,
    );
    expect(stderr).toContain('subject repo:contoso/identities:environment:dev');
    expect(stderr).toContain('in the bootstrap/ stack');
  });

  it('to promote what was not verified at this commit', async () => {
    await git('checkout', '--quiet', '--force', 'main');
    await git('commit', '--quiet', '--allow-empty', '--message', 'Later');
    await expect(job('gitHub', 'promote')).rejects.toThrow('were not verified at this commit');
    await git('reset', '--quiet', '--hard', 'origin/main');
  });

  it.each(['preview_dev', 'dev'])('what a policy refuses, in job %s', async (name) => {
    const file = path.join(clone, 'Pulumi.dev.yaml');
    const text = readFileSync(file, 'utf8');
    const production = text.replace('production: false', 'production: true');
    expect(production).not.toBe(text);
    await git('checkout', '--quiet', '--force', 'main');
    writeFileSync(file, production);
    await git('commit', '--quiet', '--all', '--message', 'Production');
    await expect(job('gitHub', name)).rejects.toThrow(/kept-in-production/);
    await git('reset', '--quiet', '--hard', 'origin/main');
  });

  it('as who previews dev, to preview prod', async () => {
    const prod = jobs.gitHub.find(({ name }) => name === 'preview_prod');
    if (prod === undefined) throw new Error('no job');
    const { code, stdout, stderr } = await runJob('gitHub', { ...prod, environment: 'preview-dev' });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/AuthorizationFailed|403/);
  });

  it('as the identity of dev, to deploy prod', async () => {
    const prod = jobs.gitHub.find(({ name }) => name === 'prod');
    if (prod === undefined) throw new Error('no job');
    const { code, stdout, stderr } = await runJob('gitHub', { ...prod, environment: 'dev' });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/AuthorizationFailed|403/);
  });
});

describe('the same by Azure DevOps', () => {
  it('updates the comments of a pull request and does not repeat them', async () => {
    checkedOut = 'pull';
    for (const stack of stacks)
      await job('devOps', `preview_${stack}`, { SYSTEM_PULLREQUEST_PULLREQUESTID: '7' });
    checkedOut = 'main';

    expect(hosting.comments).toHaveLength(2);
    expect(hosting.comments[0]?.text).toContain('Access is unchanged.');
    expect(hosting.comments[0]?.text).toMatch(/Resources:\n +\d+ unchanged/);
  });

  it('deploys and verifies both stacks, of which nothing changes, and promotes', async () => {
    const approved = path.join(workspace, 'approval-prod');
    rmSync(workspace, { recursive: true, force: true });
    mkdirSync(approved, { recursive: true });
    await job('devOps', 'preview_prod');
    writeFileSync(
      path.join(approved, 'approval-prod.json'),
      readFileSync(path.join(clone, 'approval-prod.json')),
    );
    for (const name of ['dev', 'prod']) {
      const output = await job('devOps', name);
      expect(output).toMatch(/Resources:\n +\d+ unchanged/);
      expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    }
    await job('devOps', 'promote');
    // The one that GitHub has; the same server stands in for both.
    expect(hosting.opened).toHaveLength(1);
  });
});

describe('each morning', () => {
  it.each(['gitHub', 'devOps'] as const)('%s looks for drift, as who only previews', async (system) => {
    for (const stack of stacks)
      expect(await job(system, `drift_${stack}`)).toContain(`Stack ${stack} has no drift.`);
  });
});

grantsSuite({
  cloud,
  run: (system, entered) => runJob(system, grantJob(system, 'dev'), entered),
  deployAsPerson,
});
