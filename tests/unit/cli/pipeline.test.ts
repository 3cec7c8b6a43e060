import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { credential } from '../../../cli/azureReader';
import { assertionFrom } from '../../../cli/federation';
import { checkApproval, writeApproval } from '../../../cli/pipeline/approval';
import { removePlaceholders, stepVariables, systemOf } from '../../../cli/pipeline/environment';
import { pullRequests } from '../../../cli/pipeline/hosting';
import { requireDeployed } from '../../../cli/pipeline/promotion';
import { stateVariables } from '../../../cli/pipeline/stateSignIn';
import { runPulumi } from '../../../cli/pulumi';
import { PullRequestServer } from '../../support/pullRequestServer';
import { reviewed } from '../support/reviewed';
import { refusalOf } from './refusal';

jest.mock('../../../cli/pulumi', () => ({
  ...jest.requireActual<object>('../../../cli/pulumi'),
  runPulumi: jest.fn(),
}));

// What these do not prove: that GitHub and Azure DevOps answer as their documentation says, of which the server here has the
// parts that are used.

const settings = {
  ...{ ARM_CLIENT_ID: 'c', ARM_TENANT_ID: 't', ARM_SUBSCRIPTION_ID: 's' },
  ...{ PULUMI_BACKEND_URL: 'azblob://state', PULUMI_CONFIG_PASSPHRASE: 'p' },
};
const onGitHub = {
  ...{ ...settings, GITHUB_ACTIONS: 'true' },
  ...{ ACTIONS_ID_TOKEN_REQUEST_URL: 'https://u', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'r' },
};
const onDevOps = {
  ...{ TF_BUILD: 'True', ARM_SUBSCRIPTION_ID: 's', PULUMI_BACKEND_URL: 'azblob://state' },
  ...{ PULUMI_CONFIG_PASSPHRASE: 'p', servicePrincipalId: 'c', tenantId: 't', idToken: 'i' },
};
const inPod = {
  ...{ KUBERNETES_SERVICE_HOST: '10.0.0.1', JOB_COMPLETION_INDEX: '0', ARM_SUBSCRIPTION_ID: 's' },
  ...{ AZURE_CLIENT_ID: 'c', AZURE_TENANT_ID: 't', AZURE_FEDERATED_TOKEN_FILE: '/token' },
  ...{ PULUMI_BACKEND_URL: 'azblob://state', PULUMI_CONFIG_PASSPHRASE: 'p' },
};

const shows = reviewed(__filename);

describe('the variables of a step', () => {
  it('are those of the service connection and of the variable group on Azure DevOps', () => {
    expect(stepVariables('dev', onDevOps, { encrypted: true })).toEqual({
      ...{ ARM_CLIENT_ID: 'c', ARM_TENANT_ID: 't', ARM_SUBSCRIPTION_ID: 's' },
      ...{ ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN: 'i', AAD_LOGIN_METHOD: 'azurecli' },
    });
  });

  it('let kubelogin sign in as the task AzureCLI on Azure DevOps, unless they say otherwise', () => {
    const methodIn = (env: NodeJS.ProcessEnv) =>
      stepVariables('dev', env, { encrypted: false }).AAD_LOGIN_METHOD;
    expect(methodIn({ ...onDevOps, AAD_LOGIN_METHOD: 'spn' })).toBe('spn');
    const { idToken, ...others } = onDevOps;
    expect(methodIn({ ...others, ...settings, ARM_OIDC_TOKEN: idToken })).toBeUndefined();
  });

  it('are those of the environment on GitHub, with where the token is asked for', () => {
    expect(stepVariables('dev', onGitHub, { encrypted: true })).toEqual({
      ...{ ARM_CLIENT_ID: 'c', ARM_TENANT_ID: 't', ARM_SUBSCRIPTION_ID: 's' },
      ...{ ARM_USE_OIDC: 'true', ARM_OIDC_REQUEST_URL: 'https://u', ARM_OIDC_REQUEST_TOKEN: 'r' },
    });
  });

  it('are those of workload identity in a pod', () => {
    const variables = {
      ...{ ARM_CLIENT_ID: 'c', ARM_TENANT_ID: 't', ARM_SUBSCRIPTION_ID: 's' },
      ...{ ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN_FILE_PATH: '/token', AAD_LOGIN_METHOD: 'workloadidentity' },
    };
    expect(stepVariables('dev', inPod, { encrypted: true })).toEqual(variables);
    const { JOB_COMPLETION_INDEX: _, ...ofNoJob } = inPod;
    expect(stepVariables('dev', ofNoJob, { encrypted: true })).toEqual(variables);
  });

  it.each<[string, NodeJS.ProcessEnv?]>([
    ['a workstation'],
    ['a pod in which somebody works', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }],
  ])('are none on %s', (_, env = {}) => expect(stepVariables('dev', env, { encrypted: true })).toEqual({}));

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['GitHub', onGitHub, 'GitHub Actions'],
    ['Azure DevOps', onDevOps, 'Azure DevOps'],
  ])('are those of %s for an agent in a pod', (_, env, system) =>
    expect(systemOf({ ...inPod, ...env })).toBe(system),
  );

  const without = { ...onDevOps, PULUMI_CONFIG_PASSPHRASE: '' };
  it('do not include a passphrase if nothing is encrypted with one', () => {
    expect(() => stepVariables('dev', without, { encrypted: false })).not.toThrow();
  });
  shows('names a passphrase that is missing where something is encrypted', () =>
    refusalOf(() => stepVariables('dev', without, { encrypted: true })),
  );

  it('are not those that Azure DevOps leaves unset as $(NAME)', () => {
    const left = { ...onDevOps, PULUMI_CONFIG_PASSPHRASE: '$(PULUMI_CONFIG_PASSPHRASE)' };
    removePlaceholders(left);
    expect(left).toEqual({ ...onDevOps, PULUMI_CONFIG_PASSPHRASE: undefined });
    expect('PULUMI_CONFIG_PASSPHRASE' in left).toBe(false);
    const own = { ...onGitHub, PULUMI_CONFIG_PASSPHRASE: '$(mine)' };
    removePlaceholders(own);
    expect(own.PULUMI_CONFIG_PASSPHRASE).toBe('$(mine)');
  });

  shows('names what is missing together, with where each is set, on Azure DevOps', () =>
    refusalOf(() =>
      stepVariables('dev', { TF_BUILD: 'True', AKS_WI_ENVIRONMENT: 'preview' }, { encrypted: true }),
    ),
  );
  shows('names it on GitHub', () =>
    refusalOf(() => stepVariables('prod', { GITHUB_ACTIONS: 'true' }, { encrypted: false })),
  );
  shows('names it in the pod of a Job without workload identity', () =>
    refusalOf(() =>
      stepVariables(
        'prod',
        { KUBERNETES_SERVICE_HOST: '10.0.0.1', JOB_COMPLETION_INDEX: '0' },
        { encrypted: true },
      ),
    ),
  );
});

describe('signing in with federation', () => {
  it.each([
    [{ ARM_OIDC_TOKEN: 'a token' }, 'a token'],
    [{ ARM_OIDC_TOKEN_FILE_PATH: 'file' }, 'of the file'],
  ])('takes the token of %j', async (variables, token) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'token-'));
    writeFileSync(path.join(folder, 'file'), 'of the file\n');
    const { ARM_OIDC_TOKEN_FILE_PATH: file } = { ARM_OIDC_TOKEN_FILE_PATH: undefined, ...variables };
    const env = {
      ...{ ...variables, ARM_USE_OIDC: 'true' },
      ...(file === undefined ? {} : { ARM_OIDC_TOKEN_FILE_PATH: path.join(folder, file) }),
    };
    expect(await assertionFrom(env)?.()).toBe(token);
    rmSync(folder, { recursive: true });
  });

  it('asks GitHub for the token, and says what to permit if it refuses', async () => {
    const server = http.createServer(({ url, headers }, response) => {
      const isAsked = url === '/token?api-version=2.0&audience=api%3A%2F%2FAzureADTokenExchange';
      const isOurs = headers.authorization === 'Bearer r';
      response.writeHead(isAsked && isOurs ? 200 : 403).end('{"value":"of GitHub"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = {
      ARM_USE_OIDC: 'true',
      ARM_OIDC_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
    };
    expect(await assertionFrom({ ...env, ARM_OIDC_REQUEST_TOKEN: 'r' })?.()).toBe('of GitHub');
    await expect(assertionFrom({ ...env, ARM_OIDC_REQUEST_TOKEN: 'x' })?.()).rejects.toMatchObject({
      message: `127.0.0.1:${port} answered 403 to GET /token.`,
      hint: 'Give the job `permissions: id-token: write`.',
    });
    server.close();
  });

  it('is not done unless asked for, and needs a token', () => {
    expect(assertionFrom({ ARM_OIDC_TOKEN: 'x' })).toBeUndefined();
    expect(() => assertionFrom({ ARM_USE_OIDC: 'true' })).toThrow('no variable provides a token');
  });

  it('comes before a stored secret', () => {
    const env = { ...onGitHub, ARM_CLIENT_SECRET: 's', ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN: 'x' };
    expect(credential(env, undefined).constructor.name).toBe('ClientAssertionCredential');
  });
});

describe('the state', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'state-'));
  const env = { ARM_CLIENT_ID: 'c', ARM_TENANT_ID: 't', RUNNER_TEMP: folder };
  let count = 0;
  const assertion = () => Promise.resolve(`token ${(count += 1)}`);
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is signed in to by a file whose token is renewed before it ends', async () => {
    const { AZURE_FEDERATED_TOKEN_FILE: file = '', ...others } = await stateVariables(env, assertion);
    const identity = { AZURE_CLIENT_ID: 'c', AZURE_TENANT_ID: 't' };
    expect(others).toEqual({ ...identity, AAD_LOGIN_METHOD: 'workloadidentity' });
    expect(readFileSync(file, 'utf8')).toBe('token 1');
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(readFileSync(file, 'utf8')).toBe('token 2');
  });

  it('is left to an identity of its own', async () => {
    expect(await stateVariables({ ...env, AZURE_CLIENT_ID: 'other' }, assertion)).toEqual({});
  });
});

describe('an approval', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  const approved = { stack: 'prod', commit: 'c1', previewedAt: '2026-11-23T10:00:00Z' };
  let file: string;
  beforeEach(() => (file = path.join(mkdtempSync(path.join(tmpdir(), 'approval-')), 'approval.json')));
  afterEach(() => rmSync(path.dirname(file), { recursive: true }));
  const check = (change: object = {}, validFor = '72h', at = now) => {
    writeApproval(file, { ...approved, ...change });
    checkApproval(file, { stack: 'prod', commit: 'c1' }, validFor, at);
  };

  it('counts for the stack and the commit that were previewed', () => {
    expect(() => check()).not.toThrow();
  });

  for (const [title, args] of Object.entries<Parameters<typeof check>>({
    'of another stack': [{ stack: 'dev' }],
    'of another commit': [{ commit: 'c2' }],
    'that has expired': [{}, '1h'],
    'with an invalid duration': [{}, 'a day'],
  }))
    shows(`refuses an approval ${title}`, () => refusalOf(() => check(...args)));

  it('that is missing, or of another form, is refused', () => {
    const target = { stack: 'prod', commit: 'c1' };
    expect(() => checkApproval(file, target, '1h', now)).toThrow('There is no approved preview of prod');
    for (const text of ['{}', '{', JSON.stringify({ ...approved, previewedAt: 'of old' })]) {
      writeFileSync(file, text);
      expect(() => checkApproval(file, target, '1h', now)).toThrow('not a record of a preview');
    }
  });
});

describe('a promotion', () => {
  const history = (...entries: readonly object[]) =>
    jest
      .mocked(runPulumi)
      .mockImplementation((_, [, what]) => Promise.resolve(JSON.stringify(what === 'output' ? {} : entries)));
  const environment = { 'git.head': 'c1' };
  const update = { kind: 'update', result: 'succeeded', startTime: '2026-11-01T00:00:00Z', environment };

  it('goes on if the last update succeeded at this commit, also after a refresh', async () => {
    history({ ...update, kind: 'refresh' }, update);
    await expect(requireDeployed('dev', '.', 'c1')).resolves.toBeUndefined();
  });

  it('goes on if many refreshes followed the update', async () => {
    const refreshes = Array.from({ length: 10 }, () => ({ ...update, kind: 'refresh' }));
    jest.mocked(runPulumi).mockImplementation((_, args) => {
      const page = args[args.indexOf('--page') + 1];
      const entries = page === '2' ? [update] : refreshes;
      return Promise.resolve(JSON.stringify(args[1] === 'output' ? {} : entries));
    });
    await expect(requireDeployed('dev', '.', 'c1')).resolves.toBeUndefined();
  });

  for (const [title, entries] of Object.entries({
    'of another commit': [{ ...update, environment: { 'git.head': 'c0' } }],
    'that failed': [{ ...update, result: 'failed' }],
    'that was a destroy': [{ ...update, kind: 'destroy' }, update],
    'that never was': [],
  }))
    shows(`refuses a promotion after an update ${title}`, () => {
      history(...entries);
      return refusalOf(() => requireDeployed('dev', '.', 'c1'));
    });
});

describe('the pull requests of', () => {
  const server = new PullRequestServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    server.comments.length = 0;
    server.opened.length = 0;
  });
  const systems = {
    GitHub: () => ({ GITHUB_ACTIONS: 'true', GITHUB_REF: 'refs/pull/7/merge', ...server.variables.gitHub }),
    'Azure DevOps': () => ({
      TF_BUILD: 'True',
      SYSTEM_PULLREQUEST_PULLREQUESTID: '7',
      ...server.variables.devOps,
    }),
  };

  describe.each(Object.entries(systems))('%s', (_, variables) => {
    it('get one comment, which is updated', async () => {
      const requests = pullRequests(variables());
      expect(requests?.current).toBe('7');
      // More than a page of others.
      for (let id = 0; id < 150; id += 1) server.comments.push({ id, text: 'of a person' });
      await requests?.comment('<!-- a -->\nfirst');
      await requests?.comment('<!-- b -->\nother');
      // As somebody left it in a browser.
      for (const comment of server.comments) comment.text = comment.text.replace('\n', '\r\n');
      await requests?.comment('<!-- a -->\nsecond');
      expect(server.comments.slice(150).map(({ text }) => text)).toEqual([
        '<!-- a -->\nsecond',
        '<!-- b -->\r\nother',
      ]);
    });

    it('are opened once, and say what the branch has now', async () => {
      const requests = pullRequests(variables());
      const request = { branch: 'promote/dev-to-prod', base: 'main', title: 't', text: 'at commit 1' };
      const others = { ...request, branch: 'of-a-person' };
      await requests?.open(others);
      const first = await requests?.open(request);
      const second = { ...request, text: 'at commit 2' };
      expect(await requests?.open(second)).toBe(first);
      expect(server.opened).toEqual([others, second]);
    });

    it('are asked again where the system throttles', async () => {
      server.throttled = 2;
      await pullRequests(variables())?.comment('<!-- a -->');
      expect(server.comments.map(({ text }) => text)).toEqual(['<!-- a -->']);
    });

    it('are refused to another token, with what to permit', async () => {
      const env = { ...variables(), GITHUB_TOKEN: 'x', SYSTEM_ACCESSTOKEN: 'x' };
      await expect(pullRequests(env)?.comment('a')).rejects.toMatchObject({
        message: expect.stringContaining('answered 403') as string,
        hint: expect.stringMatching(/pull-requests: write|Contribute to pull requests/) as string,
      });
      const without = { ...variables(), GITHUB_TOKEN: '', SYSTEM_ACCESSTOKEN: '' };
      await expect(pullRequests(without)?.comment('a')).rejects.toThrow(
        /lacks (GITHUB_TOKEN|SYSTEM_ACCESSTOKEN)/,
      );
    });
  });

  it('are none on Azure DevOps for a repository on GitHub', () => {
    const elsewhere = { ...systems['Azure DevOps'](), BUILD_REPOSITORY_PROVIDER: 'GitHub' };
    expect(pullRequests(elsewhere)).toBeUndefined();
  });

  it('are those of none outside of pull requests', () => {
    expect(pullRequests({ GITHUB_ACTIONS: 'true', GITHUB_REF: 'refs/heads/main' })?.current).toBeUndefined();
    expect(pullRequests({})).toBeUndefined();
  });
});
