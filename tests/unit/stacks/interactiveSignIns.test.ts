import { localTenant } from '../../../stacks/preflight/placeholders';
import { notFound, preflighted } from './preflighted';
import { input } from './settings';

// With which methods a person has to sign in, components/interactiveSignIn.test.ts proves.

describe('a cluster that signs its users in to Entra', () => {
  const groups = ['55555555-5555-4555-8555-555555555555'];
  const settings = input([], { clusters: [{ name: 'aks-1', administratorGroups: groups }] });
  const problemsIn = async (tenantId: string) =>
    (
      await preflighted(settings, {
        'azure-native:authorization:getClientConfig': { tenantId, subscriptionId: 's' },
        'azure-native:containerservice:getManagedCluster': notFound,
      })
    ).problems;
  const before = process.env['AAD_LOGIN_METHOD'];
  beforeEach(() => delete process.env['AAD_LOGIN_METHOD']);
  afterAll(() => {
    if (before !== undefined) process.env['AAD_LOGIN_METHOD'] = before;
  });

  it('is refused before it exists if a person would have to sign in', async () => {
    expect(await problemsIn('another')).toEqual([
      expect.stringMatching(
        /^aks-workload-identity:clusters\[0\]\.administratorGroups: signs in to Entra with the method `devicecode` of kubelogin/,
      ),
    ]);
    process.env['AAD_LOGIN_METHOD'] = 'azurecli';
    expect(await problemsIn('another')).toEqual([]);
  });

  it('passes on the local cloud, whose kubeconfigs do not', async () => {
    expect(await problemsIn(localTenant)).toEqual([]);
  });
});
