import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { heldPolicies, policiesInMarkdown } from '../../../cli/pipeline/heldPolicies';

// By which policies a pull request is previewed, with a repository as a pipeline checks it out. That the policy pack takes them
// is proved by tests/engine/policyPack.test.ts, and the comment by the end-to-end test of pipelines.

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
const write = (policies: object) =>
  writeFileSync(
    path.join(folder, 'Pulumi.dev.yaml'),
    JSON.stringify({ config: { 'aks-workload-identity:policies': policies } }),
  );
const commit = (message: string) => {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', message);
};

/** The merge of a change into main, as both systems check it out. */
function mergePullRequest(base: object | undefined, change: object, more = () => {}): void {
  git('init', '--quiet', '--initial-branch', 'main');
  if (base !== undefined) write(base);
  commit('base');
  git('checkout', '--quiet', '-b', 'author');
  write(change);
  more();
  commit('change');
  git('checkout', '--quiet', 'main');
  git('merge', '--quiet', '--no-ff', '--message', 'merge', 'author');
}
const gitHub = { GITHUB_REF: 'refs/pull/7/merge', GITHUB_BASE_REF: 'main' };
const devOps = { SYSTEM_PULLREQUEST_PULLREQUESTID: '7', SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main' };
const held = (env: NodeJS.ProcessEnv = gitHub) => heldPolicies('dev', folder, env);
const none = { requiredTags: [], exceptions: [] };
const exception = {
  ...{ policy: 'tags', resource: 'kv', reason: 'of the test', until: '2027-01-31' },
};

beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'held-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['on GitHub', gitHub],
  ['on Azure DevOps', devOps],
])('are those of the branch that it goes into, %s, and each change is a finding', async (_, env) => {
  mergePullRequest(
    { production: true, requiredTags: ['cost'] },
    { level: 'advisory', exceptions: [exception] },
  );
  expect(await held(env)).toEqual({
    settings: { production: true, requiredTags: ['cost'], exceptions: [] },
    bootstrap: [],
    findings: [
      '`policies.level` is not set in main, and would be "advisory". The value in main applies until it is merged.',
      '`policies.production` is true in main, and would be not set. The value in main applies until it is merged.',
      '`policies.requiredTags` is ["cost"] in main, and would be []. The value in main applies until it is merged.',
      `\`policies.exceptions\` is [] in main, and would be [${JSON.stringify(exception)}]. The value in main applies until it is merged.`,
    ],
  });
});

it('that are not changed are no finding', async () => {
  mergePullRequest({ exceptions: [exception] }, { exceptions: [exception], requiredTags: [] });
  expect(await held()).toEqual({
    ...{ settings: { ...none, exceptions: [exception] }, findings: [], bootstrap: [] },
  });
  expect(policiesInMarkdown({ findings: [], bootstrap: [] })).toBe('');
});

it('of a cell are those of its environment, also if the cell is new', async () => {
  mergePullRequest({ level: 'mandatory' }, { level: 'advisory' }, () =>
    writeFileSync(path.join(folder, 'Pulumi.dev-a.yaml'), 'config: { aks-workload-identity:cellOf: dev }'),
  );
  const change =
    '`policies.level` is "mandatory" in main, and would be "advisory". The value in main applies until it is merged.';
  expect(await heldPolicies('dev-a', folder, gitHub)).toMatchObject({
    ...{ settings: { level: 'mandatory' }, findings: [change] },
  });
});

it('come with what changes in bootstrap, which a person deploys', async () => {
  mergePullRequest({}, {}, () => {
    mkdirSync(path.join(folder, 'bootstrap'));
    writeFileSync(path.join(folder, 'bootstrap', 'Pulumi.pipelines.yaml'), 'trusts: [anybody]\n```\n');
  });
  const { bootstrap = [], findings = [] } = (await held()) ?? {};
  expect(bootstrap.slice(-2)).toEqual(['+trusts: [anybody]', '+```']);
  expect(policiesInMarkdown({ findings, bootstrap })).toMatch(
    /^### ⚠️ Pipelines\n\nThis changes `bootstrap\/`, .*\n\n```diff\n[^]*\n\+trusts: \[anybody\]\n\+```\n```\n\n$/,
  );
});

it.each([
  ['of a commit that is no merge', () => git('checkout', '--quiet', 'author')],
  ['of a checkout without the branch', () => git('replace', '--graft', 'HEAD')],
])('%s are the strictest, and a finding says so', async (_, arrange) => {
  mergePullRequest(
    { production: false, requiredTags: ['cost'] },
    { requiredTags: ['cost'], exceptions: [exception] },
  );
  arrange();
  expect(await held()).toEqual({
    settings: { level: 'mandatory', production: true, requiredTags: ['cost'], exceptions: [] },
    bootstrap: [],
    findings: [
      expect.stringContaining('Pulumi.dev.yaml of main cannot be read, so the strictest policies apply'),
    ],
  });
});

it('of a stack that the branch does not have are the strictest', async () => {
  mergePullRequest(undefined, { level: 'advisory' });
  expect((await held())?.settings).toEqual({ ...none, level: 'mandatory', production: true });
});

it.each([[{}], [{ GITHUB_REF: 'refs/heads/main' }]])('of no pull request are its own: %j', async (env) => {
  mergePullRequest({}, { level: 'advisory' });
  expect(await held(env)).toBeUndefined();
});
