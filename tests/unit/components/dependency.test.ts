import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { AzureDependencyArgs } from '../../../components/dependency/arguments';
import { AzureDependency } from '../../../components/dependency/azureDependency';
import { least } from './support/least';
import { answers, clusterOf, connectingTo, customResourceWith, testClock } from './support/cluster';
import { record, valueOf } from './support/recorder';

// When what needs a service is made. What mocks do not prove: that the operator makes something of it; the end-to-end test
// does.

const assignment = 'azure-native:authorization:RoleAssignment';
const created = (changes: object = {}) =>
  new AzureDependency('x', { ...least.AzureDependency, ...changes } as unknown as AzureDependencyArgs);

describe('what needs a service', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is made once the operator has provisioned it, with its access in it', async () => {
    const clock = testClock();
    const get = answers<KubernetesObject | undefined>(
      undefined,
      customResourceWith({ severity: 'Info' }),
      customResourceWith({ status: 'True' }),
    );
    const kubeconfigs = connectingTo(clusterOf({ get }));
    const looks: number[] = [];
    const { names } = await record(() => {
      created().provisioned.apply(() => looks.push(clock.slept.length));
    });

    expect(kubeconfigs).toEqual(['kubeconfig']);
    expect(looks).toEqual([2]);
    expect(names(assignment)).toEqual(['x/storageBlobDataContributor']);
  });

  it('has the id that the operator found, of a service that only it knows', async () => {
    connectingTo(clusterOf({ get: answers(customResourceWith({ status: 'True' })) }));
    const service = {
      resource: { resourceKind: 'StorageAccount', apiVersion: 'storage.azure.com/v20250601', spec: {} },
    };
    const { result } = await record(() => created({ service }));

    expect(await valueOf(result.resourceId)).toBe('id in Azure');
  });

  it('is not waited for in a preview', async () => {
    const kubeconfigs = connectingTo(clusterOf({}));
    const { names } = await record(() => created(), { preview: true });

    expect(names(assignment)).toHaveLength(1);
    expect(kubeconfigs).toEqual([]);
  });

  it('whose keys it uses waits for them, and its pods do not', async () => {
    const { result } = await record(() => created({ connection: 'secret' }));

    expect(result.resources).toHaveLength(1);
    expect(await valueOf(result.provisioned)).toHaveLength(2);
  });
});
