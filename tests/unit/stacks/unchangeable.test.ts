import { clusterId } from './ids';
import { preflighted } from './preflighted';
import { input } from './settings';

const groups = ['55555555-5555-4555-8555-555555555555'];
const isEnabled = {
  ...{ oidcIssuerProfile: { enabled: true }, securityProfile: { workloadIdentity: { enabled: true } } },
};

/** The cluster as this program makes it, with changes. */
const created = (more: object = {}) => ({
  ...{ id: clusterId('aks-1'), ...isEnabled, dnsPrefix: 'aks-1', enableRBAC: true },
  ...{ kubernetesVersion: '1.35', currentKubernetesVersion: '1.35.4' },
  agentPoolProfiles: [
    { name: 'work', vmSize: 'Standard_E4s_v5' },
    { name: 'system', vmSize: 'Standard_D4ds_v5' },
  ],
  networkProfile: { networkPlugin: 'azure', networkPluginMode: 'overlay', networkDataplane: 'azure' },
  ...more,
});

const problemsWith = async (cluster: object, found: object) =>
  (
    await preflighted(input([], { clusters: [{ name: 'aks-1', ...cluster }] }), {
      'azure-native:containerservice:getManagedCluster': found,
    })
  ).problems;

it.each<[string, object, object]>([
  ['nothing is set', {}, created()],
  ['the minor version that it has is set', { kubernetesVersion: '1.35' }, created()],
  ['a newer version is set', { kubernetesVersion: '1.35.5' }, created()],
  ['the next minor version is set', { kubernetesVersion: '1.36' }, created()],
  ['its groups change', { administratorGroups: groups }, created({ aadProfile: { managed: true } })],
  ['its groups are new', { administratorGroups: groups }, created()],
  ['the size is written otherwise', { nodes: { vmSize: 'Standard_d4ds_V5', count: 5 } }, created()],
  ['Azure reports nothing about it', { nodes: { vmSize: 'Standard_D8s_v5' } }, isEnabled],
])('a cluster passes where %s', async (_, cluster, found) => {
  expect(await problemsWith(cluster, found)).toEqual([]);
});

it.each<[string, object, object, string]>([
  [
    'another size of the nodes',
    { nodes: { vmSize: 'Standard_D8ds_v5' } },
    created(),
    'nodes.vmSize: "Standard_D8ds_v5" is not the node size of aks-1, "Standard_D4ds_v5", and AKS cannot change the node size of a pool. Set it to "Standard_D4ds_v5". For other nodes, add another pool, which the stack leaves alone (`az aks nodepool add`), or create a cluster with another name.',
  ],
  [
    'the default size, after another',
    {},
    created({ agentPoolProfiles: [{ name: 'system', vmSize: 'Standard_D8ds_v5' }] }),
    'nodes.vmSize: "Standard_D4ds_v5" (the default) is not the node size of aks-1, "Standard_D8ds_v5", and AKS cannot change the node size of a pool. Set it to "Standard_D8ds_v5". For other nodes, add another pool, which the stack leaves alone (`az aks nodepool add`), or create a cluster with another name.',
  ],
  ...(
    [
      ['no pool of this program', { name: 'nodepool1' }, '', 'nodepool1', 'system'],
      [
        'another type of the pool',
        { type: 'AvailabilitySet' },
        '.type',
        'AvailabilitySet',
        'VirtualMachineScaleSets',
      ],
      ['another system of the pool', { osType: 'Windows' }, '.osType', 'Windows', 'Linux'],
    ] as const
  ).map(([title, pool, property, was, is]): [string, object, object, string] => [
    ...([title, {}, created({ agentPoolProfiles: [{ name: 'system', ...pool }] })] as const),
    `name: "aks-1" is a cluster with agentPoolProfiles${property} "${was}", but this program sets "${is}", which AKS cannot change: the cluster would be replaced. Use the cluster as it is, with \`mode: existing\` and its id, or create one with another name.`,
  ]),
  [
    'an older minor version',
    { kubernetesVersion: '1.34' },
    created(),
    'kubernetesVersion: "1.34" is older than the version of aks-1, "1.35.4", and AKS cannot downgrade. Set it to "1.35", or remove it.',
  ],
  [
    'an older patch',
    { kubernetesVersion: '1.35.3' },
    created(),
    'kubernetesVersion: "1.35.3" is older than the version of aks-1, "1.35.4", and AKS cannot downgrade. Set it to "1.35", or remove it.',
  ],
  [
    'no groups, after some',
    {},
    created({ aadProfile: { managed: true, adminGroupObjectIDs: groups } }),
    `administratorGroups: is not set, but aks-1 signs its users in with Entra, which AKS cannot disable. Set it back to [${groups.join()}], or to other groups. For a cluster without Entra, create one with another name.`,
  ],
  ...(
    [
      ['dnsPrefix', 'aks-1', { dnsPrefix: 'other' }, 'other'],
      ['enableRBAC', 'true', { enableRBAC: false }, 'false'],
      [
        'networkProfile.networkPlugin',
        'azure',
        { networkProfile: { networkPlugin: 'kubenet', networkPluginMode: 'overlay' } },
        'kubenet',
      ],
      ['networkProfile.networkPluginMode', 'overlay', { networkProfile: { networkPlugin: 'azure' } }, ''],
    ] as const
  ).map(([property, asked, change, held]): [string, object, object, string] => [
    `another ${property}`,
    {},
    created(change),
    `name: "aks-1" is a cluster with ${property} "${held}", but this program sets "${asked}", which AKS cannot change: the cluster would be replaced. Use the cluster as it is, with \`mode: existing\` and its id, or create one with another name.`,
  ]),
])('a cluster is refused %s', async (_, cluster, found, problem) => {
  expect(await problemsWith(cluster, found)).toEqual([`aks-workload-identity:clusters[0].${problem}`]);
});
