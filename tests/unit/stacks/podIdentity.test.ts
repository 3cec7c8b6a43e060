import { deploy } from './deployed';
import { application, validInput } from './settings';

// What mocks do not prove: that pods get tokens; tests/e2e/podIdentity.test.ts does.

const clusters = [{ name: 'aks-1', podIdentity: { unsupportedKubernetes: true } }];
const input = (signIn: string | undefined) =>
  validInput({
    clusters,
    applications: [application('orders', { secrets: ['db'], identity: 'application', signIn })],
    secretValues: {},
  });

describe('an application that signs in by aad-pod-identity', () => {
  const objects = 'kubernetes:aadpodidentity.k8s.io/v1:AzureIdentity';
  const labelsOf = ({ inputs }: { inputs: Record<string, unknown> }) =>
    (inputs as { spec: { template: { metadata: { labels: object } } } }).spec.template.metadata.labels;
  const deployment = 'kubernetes:apps/v1:Deployment';
  const credential = 'azure-native:managedidentity:FederatedIdentityCredential';

  it('is told from others by the id of its identity, which replaces its pods', async () => {
    const { find } = await deploy(input('podIdentity'));
    const identityId = find(objects, 'aks-1-orders-identity').inputs as { spec: { clientID: string } };

    expect(find(deployment, 'aks-1-orders').inputs).toMatchObject({
      spec: {
        template: {
          metadata: { annotations: { 'aks-workload-identity/client-id': identityId.spec.clientID } },
        },
      },
    });
  });

  it('is of its namespace however aad-pod-identity is installed', async () => {
    const { find } = await deploy({
      ...input('podIdentity'),
      clusters: [{ name: 'aks-1', podIdentity: { install: false } }],
    });

    expect(find(objects, 'aks-1-orders-identity').inputs).toMatchObject({
      metadata: { annotations: { 'aadpodidentity.k8s.io/Behavior': 'namespaced' } },
    });
  });

  it('shares one role assignment with others of its identity, under the name that it may have had', async () => {
    const nodes = '11111111-2222-4333-8444-555555555555';
    const given = validInput({
      clusters,
      applications: ['orders', 'billing'].map((name) => application(name, { signIn: 'podIdentity' })),
      secretValues: {},
      imported: { roleAssignments: { 'aks-1-pod-identity-nodes': nodes } },
    });
    const { find, names } = await deploy(given);
    const roles = 'azure-native:authorization:RoleAssignment';

    expect(names(objects)).toHaveLength(2);
    expect(
      names(roles)
        .filter((name) => name.startsWith('aks-1-pod-identity'))
        .sort(),
    ).toEqual(['aks-1-pod-identity-nodes', 'aks-1-pod-identity/aks-1']);
    expect(find(roles, 'aks-1-pod-identity-nodes').inputs.roleAssignmentName).toBe(nodes);
  });

  it.each(['podIdentity', 'both'])('has nothing of it once it is revoked: %s', async (signIn) => {
    const { find, names } = await deploy({
      ...input(signIn),
      revoked: { applications: { orders: 'a test' } },
    });

    for (const kind of [objects, `${objects}Binding`]) expect(names(kind)).toEqual([]);
    expect(names('azure-native:authorization:RoleAssignment')).not.toContain(
      'aks-1-pod-identity/aks-1-orders',
    );
    expect(labelsOf(find(deployment, 'aks-1-orders'))).not.toHaveProperty('aadpodidbinding');
  });

  it('has a network of iptables on a cluster that is made', async () => {
    const { find } = await deploy(input('podIdentity'));

    expect(find('azure-native:containerservice:ManagedCluster', 'aks-1').inputs).toMatchObject({
      networkProfile: { networkDataplane: 'azure' },
    });
  });

  it('has a binding by its name and the label, and no trust', async () => {
    const { find, names } = await deploy(input('podIdentity'));

    expect(find(`${objects}Binding`, 'aks-1-orders-binding').inputs).toMatchObject({
      metadata: { name: 'orders', namespace: 'orders' },
      spec: { azureIdentity: 'orders', selector: 'orders' },
    });
    expect(find(objects, 'aks-1-orders-identity').inputs).toMatchObject({ spec: { type: 0 } });
    expect(labelsOf(find(deployment, 'aks-1-orders'))).toEqual({
      'app.kubernetes.io/name': 'orders',
      aadpodidbinding: 'orders',
    });
    expect(names(credential).filter((name) => name.startsWith('aks-1-orders'))).toEqual([]);
  });

  it('has trust and both labels with both', async () => {
    const { find, names } = await deploy(input('both'));

    expect(labelsOf(find(deployment, 'aks-1-orders'))).toMatchObject({
      aadpodidbinding: 'orders',
      'azure.workload.identity/use': 'true',
    });
    expect(names(credential)).toContain('aks-1-orders/orders_orders');
    expect(names(`${objects}Binding`)).toEqual(['aks-1-orders-binding']);
  });

  it('has nothing of it by default', async () => {
    const { names } = await deploy(input(undefined));

    expect(names(objects)).toEqual([]);
    expect(names('kubernetes:helm.sh/v3:Release')).toContain('aks-1-pod-identity');
  });

  it('is not installed where it exists', async () => {
    const given = validInput({
      clusters: [{ name: 'aks-1', podIdentity: { install: false } }],
      applications: [application('orders', { identity: 'application', signIn: 'podIdentity' })],
      secretValues: {},
    });
    const { names } = await deploy(given);

    expect(names('kubernetes:helm.sh/v3:Release')).not.toContain('aks-1-pod-identity');
    expect(names(objects)).toEqual(['aks-1-orders-identity']);
  });
});
