import { requireReady } from '../../../cli/azureRun/preflight';
import { refusalOf } from './refusal';

// What these do not prove: how Azure lists its regions; the end-to-end test of the command reads them from a local cloud.

const types = ['azure-native:managedidentity:UserAssignedIdentity', 'azure-native:keyvault:Vault'];
const vmSize = 'Standard_D2ds_v5';
const run = {
  ...{ subscription: 'S', location: 'westeurope', types },
  clusters: { location: 'westeurope', nodes: [{ count: 1, vmSize }] },
};

/** Checks a run in a subscription with two regions. */
const started = (changed: {
  location?: string;
  token?: () => Promise<unknown>;
  registrationState?: string;
  /** vCPUs of the region that are in use, of 10. */
  used?: number;
  sizes?: string[];
}) => {
  const lists: Record<string, unknown[]> = {
    '/subscriptions/S/locations': [{ name: 'westeurope' }, { name: 'northeurope' }],
    '/subscriptions/S/providers': ['Microsoft.ManagedIdentity', 'Microsoft.KeyVault'].map((namespace) => ({
      namespace,
      registrationState: changed.registrationState ?? 'Registered',
    })),
  };
  const compute = '/subscriptions/S/providers/Microsoft.Compute';
  lists[`${compute}/skus`] = (changed.sizes ?? [vmSize]).map((name) => ({
    ...{ resourceType: 'virtualMachines', name, family: 'standardDDSv5Family' },
    capabilities: [{ name: 'vCPUs', value: '2' }],
  }));
  lists[`${compute}/locations/westeurope/usages`] = ['cores', 'standardDDSv5Family'].map((value) => ({
    ...{ name: { value }, currentValue: changed.used ?? 0, limit: 10 },
  }));
  const { token = () => Promise.resolve('token'), location = run.location } = changed;
  return requireReady({ ...run, location }, token, {
    endpoint: 'https://azure.test',
    read: (url) => Promise.resolve({ value: lists[new URL(url).pathname] }),
  });
};

it.each<[string, Parameters<typeof started>[0], RegExp]>([
  [
    'without a sign-in',
    { token: () => Promise.reject(new Error('a chain\nof ten\ncredentials')) },
    /^The sign-in to Azure failed: a chain\.\n→ Sign in: `az login`/,
  ],
  [
    'in a region that the subscription does not have',
    { location: 'nowhere' },
    /^--location: "nowhere" is not a region of the subscription\. Allowed: northeurope, westeurope\.\n→ /,
  ],
  [
    'without a provider',
    { registrationState: 'NotRegistered' },
    /^Microsoft\.KeyVault is NotRegistered, Microsoft\.ManagedIdentity is NotRegistered\n→ `az provider register --namespace Microsoft\.KeyVault`, /,
  ],
  [
    'with too few vCPUs',
    { used: 9 },
    /^9 of 10 vCPUs in westeurope, 2 to create\n→ Name another region with `--location`, or ask Microsoft/,
  ],
  [
    'without its size of nodes in the region',
    { sizes: ['Standard_A1_v2'] },
    /^westeurope has no virtual machines of the size Standard_D2ds_v5 for this subscription\n→ Name another region/,
  ],
])('a run %s is refused', async (_, changed, refusal) => {
  expect(await refusalOf(() => started(changed))).toMatch(refusal);
});

it('a run in order is not refused', async () => {
  await expect(started({})).resolves.toBeUndefined();
});
