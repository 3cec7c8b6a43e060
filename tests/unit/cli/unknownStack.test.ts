import { capture } from '../../../cli/capture';
import { createProgram } from '../../../cli/main';
import { withProject } from './projectFolder';
import { refusalOf } from './refusal';

jest.mock('../../../cli/capture');

const inProject = (args: readonly string[], answer: { code: number; stderr: string }) =>
  withProject({ 'Pulumi.dev.yaml': 'config: {}\n', 'Pulumi.prod.yaml': 'config: {}\n' }, (folder) => {
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    jest.mocked(capture).mockResolvedValue({ stdout: '', ...answer });
    return refusalOf(async () => (await createProgram(args)).parseAsync(args, { from: 'user' }));
  });

const commands = [
  ...['validate', 'verify', 'access', 'access --deployed', 'import', 'orphans', 'migrate --cluster a'],
  ...['hosted-clusters', 'audit', 'drift', 'revoke --application a', 'pipeline check'],
  ...['fleet plan', 'fleet assign --size 2', 'fleet render github', 'fleet render azure', 'fleet render pko'],
  'grant --application a --secret s --for 1m --reason r',
].map((command) => [...command.split(' '), '--stack', 'prd']);

describe.each([
  ['pulumi is not on PATH', { code: 127, stderr: '' }],
  ['Pulumi has none either', { code: 255, stderr: "error: no stack named 'prd' found" }],
])('a stack that the project does not have, where %s', (_what, answer) => {
  it.each([...commands, ['promote', '--from', 'prd', '--to', 'dev']])(
    'is named so by %s',
    async (...args) => {
      expect(await inProject(args, answer)).toBe(
        'There is no stack prd. The stacks of this project: dev, prod.\n→ Did you mean prod?',
      );
    },
  );
});

it('a stack that is not deployed is distinguished from one that does not exist', async () => {
  const answer = { code: 255, stderr: "error: no stack named 'dev' found" };
  expect(await inProject(['verify', '--stack', 'dev'], answer)).toContain('Stack dev is not deployed');
});
