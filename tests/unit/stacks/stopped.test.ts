import * as pulumi from '@pulumi/pulumi';
import { clusterId } from './ids';
import { preflighted } from './preflighted';
import { input } from './settings';

const variable = 'PULUMI_K8S_SKIP_UPDATE_UNREACHABLE';
const stopped = { id: clusterId('aks-2'), powerState: { code: 'Stopped' } };
const settings = input([], { clusters: [{ name: 'aks-1' }, { name: 'aks-2' }] });
const start = 'az aks start --name aks-2 --resource-group rg-there';

/** Azure's answers: the second cluster is stopped. */
const check = () =>
  preflighted(settings, {
    'azure-native:containerservice:getManagedCluster': ({ resourceName }: { resourceName: string }) =>
      resourceName === 'aks-2' ? stopped : { powerState: { code: 'Running' } },
  });

afterEach(() => {
  delete process.env['PULUMI_K8S_SKIP_UPDATE_UNREACHABLE'];
});

it('a cluster that is stopped is refused, with how to start it and how to go on without it', async () => {
  expect((await check()).problems).toEqual([
    expect.stringMatching(
      new RegExp(
        `^aks-workload-identity:clusters\\[1\\]\\.name: "aks-2" is a stopped cluster, in which nothing can be updated\\. Start it: \`${start}.*\`\\. To update everything else now, set ${variable}=true\\.$`,
      ),
    ),
  ]);
});

it('a cluster that is stopped is named, and not refused, where updates go on without it', async () => {
  process.env[variable] = 'true';
  const warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue();

  expect((await check()).problems).toEqual([]);
  expect(warn.mock.calls).toEqual([
    [
      expect.stringMatching(
        new RegExp(`^The cluster aks-2 is stopped\\. Its contents stay as they are .*after \`${start}`),
      ),
    ],
  ]);
});
