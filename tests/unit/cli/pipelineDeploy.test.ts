import { ask, isAtTerminal } from '../../../cli/ask';
import { createProgram } from '../../../cli/main';
import { streamed } from '../../../cli/pipeline/run';
import { withProject } from './projectFolder';
import { refusalOf } from './refusal';

jest.mock('../../../cli/ask', () => ({
  ask: jest.fn(() => Promise.resolve('n')),
  isAtTerminal: jest.fn(() => false),
}));
jest.mock('../../../cli/pipeline/signIn', () => ({ checkSignIn: () => Promise.resolve() }));
jest.mock('../../../cli/pipeline/run', () => ({ streamed: jest.fn(() => Promise.resolve(0)) }));

const deploy = (...args: string[]) => deployOf('config: {}\n', ...args);

const deployOf = (text: string, ...args: string[]) =>
  withProject({ 'Pulumi.dev.yaml': text }, async (folder) => {
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    const program = await createProgram(['pipeline']);
    await program.parseAsync(['pipeline', 'deploy', '--stack', 'dev', ...args], { from: 'user' });
  });
/** The commands of Pulumi that were run. */
const commands = () => jest.mocked(streamed).mock.calls.map(([, args]) => args[0]);

let env: NodeJS.ProcessEnv;
beforeEach(() => {
  env = { ...process.env };
  delete process.env['GITHUB_ACTIONS'];
  delete process.env['TF_BUILD'];
  jest.mocked(streamed).mockClear();
  jest.mocked(ask).mockClear();
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  process.env = env;
  jest.restoreAllMocks();
});

describe('a deployment on a workstation', () => {
  it('is refused without a terminal and --yes', async () => {
    expect(await refusalOf(() => deploy())).toBe(
      'Nothing was deployed: the stack dev would be updated.\n→ Review it, and run the command again with --yes.',
    );
    expect(commands()).toEqual([]);
  });

  it('is refused for an environment with cells, which are deployed after it', async () => {
    const text = 'config: { aks-workload-identity:cells: [{ name: a, clusters: [aks-1] }] }\n';
    expect(await refusalOf(() => deployOf(text, '--yes'))).toBe(
      'The stack dev has cells, which are deployed after it, in waves.\n→ Deploy all of them with a pipeline of `npx aks-wi fleet render`, and take dev out of this one.',
    );
    await deployOf(text, '--dry-run');
    expect(commands()).toEqual(['preview']);
  });

  it('does not ask with --yes', async () => {
    await deploy('--yes');
    expect(commands()).toEqual(['up']);
  });

  it('is only previewed with --dry-run', async () => {
    await deploy('--yes', '--dry-run');
    expect(commands()).toEqual(['preview']);
  });
});

describe('a deployment in a pod with workload identity', () => {
  const pod = {
    ...{ KUBERNETES_SERVICE_HOST: '10.0.0.1', AZURE_CLIENT_ID: 'c', AZURE_TENANT_ID: 't' },
    ...{
      AZURE_FEDERATED_TOKEN_FILE: __filename,
      ARM_SUBSCRIPTION_ID: 's',
      PULUMI_BACKEND_URL: 'azblob://state',
    },
  };

  it.each([
    ['asks a person at a terminal', {}, true, []],
    ['does not ask in an Indexed Job', { JOB_COMPLETION_INDEX: '0' }, true, ['up']],
    ['does not ask without a terminal', {}, false, ['up']],
  ])('%s', async (_, index, atTerminal, expected) => {
    Object.assign(process.env, pod, index);
    jest.mocked(isAtTerminal).mockReturnValue(atTerminal);
    await deploy().catch(() => undefined);
    expect(jest.mocked(ask)).toHaveBeenCalledTimes(expected.length === 0 ? 1 : 0);
    expect(commands()).toEqual(expected);
  });
});
