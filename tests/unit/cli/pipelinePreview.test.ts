import { accessBySettings } from '../../../cli/access/sources';
import { capture } from '../../../cli/capture';
import { comparableAccess } from '../../../cli/deployedAccess';
import { heldPolicies } from '../../../cli/pipeline/heldPolicies';
import { preview } from '../../../cli/pipeline/preview';
import type { PullRequests } from '../../../cli/pipeline/pullRequests';
import type { Access } from '../../../stacks/access/reach';
import { capturedOutput, withProject } from './projectFolder';

// Previews of environments with cells. What mocks do not prove: the preview and the comment of the end-to-end test of pipelines.

jest.mock('../../../cli/access/sources');
jest.mock('../../../cli/capture');
jest.mock('../../../cli/deployedAccess');
jest.mock('../../../cli/pipeline/heldPolicies');

const access: Access = {
  ...{ environment: 'prod', identities: [], readers: [], unread: [] },
  counts: { trusts: 0, grants: 0, groups: 0, readers: 0 },
};
const comment = jest.fn<Promise<void>, [string]>(() => Promise.resolve());
const requests = { current: 1, comment } as unknown as PullRequests;

/** Previews a stack with these settings on a pull request. */
const previewOf = (config: string) =>
  withProject({ 'Pulumi.prod.yaml': `config: { ${config} }\n` }, async (folder) => {
    const { spies } = capturedOutput();
    await preview('prod', folder, requests).finally(() => spies.forEach((spy) => spy.mockRestore()));
  });

beforeEach(() => {
  comment.mockClear();
  jest.mocked(heldPolicies).mockResolvedValue(undefined);
  jest.mocked(capture).mockResolvedValue({ code: 0, stdout: 'Resources:\n    1 unchanged\n', stderr: '' });
  jest.mocked(accessBySettings).mockResolvedValue(access);
  jest.mocked(comparableAccess).mockResolvedValue(access);
});

const cells = 'aks-workload-identity:cells: [{ name: a, clusters: [aks-1] }]';

it('says that cells are previewed later', async () => {
  await previewOf(cells);
  expect(comment.mock.calls[0]?.[0]).toContain('Its cells are previewed when they are deployed, after it.');
  await previewOf('');
  expect(comment.mock.calls[1]?.[0]).not.toContain('cells');
});

it('writes no comment if a cell cannot be read: its access would look changed', async () => {
  jest.mocked(comparableAccess).mockRejectedValue(new Error('Some cells cannot be read'));
  await expect(previewOf(cells)).rejects.toThrow('Some cells cannot be read');
  expect(comment).not.toHaveBeenCalled();
});
