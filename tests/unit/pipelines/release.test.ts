import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot, runProcess } from '../../support/command';
import { textOf } from '../../support/pipelineFiles';

// What a release checks, may and publishes. What it does not prove: that npm and GitHub accept it. The packages' own tests
// install them.

const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Job {
  readonly permissions?: Record<string, string>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}
const { permissions, jobs } = parse(textOf('.github/workflows/release.yml')) as {
  permissions: Record<string, string>;
  jobs: Record<'packages' | 'publish' | 'release', Job>;
};

describe('the workflow of a release', () => {
  it('writes and signs only in jobs that run no code of a dependency', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.packages.permissions).toBeUndefined();
    expect(jobs.publish.permissions).toEqual({ 'id-token': 'write' });
    expect(jobs.release.permissions).toEqual({ contents: 'write' });
    for (const { steps } of [jobs.publish, jobs.release])
      expect(JSON.stringify(steps)).not.toMatch(/checkout|npm (ci|install|run)|npx|node /);
  });

  it('stores no credential', () => {
    expect(textOf('.github/workflows/release.yml')).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|_authToken/);
  });

  it('publishes each package of the version after those that it needs', async () => {
    writeFileSync(path.join(folder, 'npm'), '#!/bin/sh\necho "$@" >>"$0.log"\n', { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, GITHUB_REF_NAME: 'v0.2.0' };
    const script = jobs.publish.steps.find(({ run }) => run !== undefined)?.run ?? '';

    const { code, stderr } = await runProcess('bash', ['-e', '-c', script], env);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(path.join(folder, 'npm.log'), 'utf8')).toBe(
      ['components', 'stacks', 'localcloud', 'cli']
        .map((name) => `publish ./aks-workload-identity-${name}-0.2.0.tgz --access public\n`)
        .join(''),
    );
  });
});

it('names the repository of the workflow in the packages, with which npm compares the provenance', async () => {
  const script = `import('${projectRoot}/packaging/manifest.mjs').then(async ({ readManifest }) =>
    console.log(JSON.stringify((await readManifest('cli')).repository ?? null)))`;
  const repositoryOf = async (name: string) => {
    const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: name };
    return JSON.parse((await runProcess(process.execPath, ['-e', script], env)).stdout) as unknown;
  };

  expect(await repositoryOf('example/identities')).toEqual({
    type: 'git',
    url: 'git+https://github.com/example/identities.git',
    directory: 'cli',
  });
  expect(await repositoryOf('')).toBeNull();
});

const versioned = [
  ...['package.json', 'package-lock.json', 'cli/package.json', 'components/package.json'],
  ...['components/schema.json', 'localcloud/package.json', 'policy/package.json', 'stacks/package.json'],
];
const changelog = `# Changelog

Versions.

## [Unreleased]

## [0.2.0] - 2027-01-31

### Added

- A setting.

## [0.1.0] - 2026-12-01

- Everything.
`;

/** Compares a tag with a project whose files have the version 0.2.0, apart from some. */
function check(tag: string, files: Readonly<Record<string, string>> = {}) {
  const project = mkdtempSync(path.join(folder, 'project-'));
  const all = Object.fromEntries(versioned.map((file) => [file, '{ "version": "0.2.0" }']));
  for (const [file, text] of Object.entries({ ...all, 'CHANGELOG.md': changelog, ...files })) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  }
  return runProcess(process.execPath, ['packaging/release.mjs', tag, project]);
}

describe('the check of a release', () => {
  it('prints the changelog of the version if all agree', async () => {
    expect(await check('v0.2.0')).toMatchObject({
      code: 0,
      stdout: '### Added\n\n- A setting.\n',
      stderr: '',
    });
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['another tag', 'v0.3.0', {}, 'The tag v0.3.0 is not v0.2.0, the version in package.json.'],
    ['a tag without its letter', '0.2.0', {}, 'The tag 0.2.0 is not v0.2.0, the version in package.json.'],
    ...versioned
      .slice(1)
      .map((file): [string, string, Record<string, string>, string] => [
        `another version in ${file}`,
        'v0.2.0',
        { [file]: '{ "version": "0.1.0" }' },
        `${file} has the version 0.1.0, package.json 0.2.0.`,
      ]),
    ...(
      [
        ['no heading', /\[0\.2\.0\]/, '[0.3.0]', 'must have [Unreleased] first, and then [0.2.0].'],
        [
          'no section for what comes',
          /## \[Unrel.*\n/,
          '',
          'must have [Unreleased] first, and then [0.2.0].',
        ],
        ['no date', / - 2027-01-31/, '', 'has no date for [0.2.0].'],
        ['another date', '2027-01-31', '31.1.2027', 'has no date for [0.2.0].'],
        ['nothing to say', /### Added\n\n- A setting\.\n/, '', 'says nothing of [0.2.0].'],
        [
          'changes that stayed behind',
          '## [Unreleased]',
          '## [Unreleased]\n\n- A fix.',
          'still has changes in [Unreleased]: move them to [0.2.0].',
        ],
      ] as const
    ).map(([what, from, to, says]): [string, string, Record<string, string>, string] => [
      `a changelog with ${what}`,
      'v0.2.0',
      { 'CHANGELOG.md': changelog.replace(from, to) },
      `CHANGELOG.md ${says}`,
    ]),
  ])('refuses %s', async (_what, tag, files, says) => {
    expect(await check(tag, files)).toMatchObject({ code: 1, stdout: '', stderr: `${says}\n` });
  });

  it('finds one version in all files of the project', async () => {
    const { stderr } = await runProcess(
      process.execPath,
      ['packaging/release.mjs', 'v0.0.0'],
      {},
      { cwd: projectRoot },
    );

    expect(stderr).toMatch(/^The tag v0\.0\.0 is not v\d+\.\d+\.\d+, the version in package\.json\.\n/);
    expect(stderr).not.toContain('has the version');
  });
});
