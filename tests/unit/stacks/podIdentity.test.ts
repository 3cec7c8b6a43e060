import type { Deployment } from './deployed';
import { valueOf } from '../components/support/recorder';
import { deploy } from './deployed';
import type { Input } from './settings';
import { application, input } from './settings';

// What mocks do not prove: that pods get tokens; tests/e2e/podIdentity.test.ts does.

const clusters = [{ name: 'aks-1', podIdentity: { unsupportedKubernetes: true } }];
const signing = (signIn: string | undefined, more: Input = {}) =>
  input([application('orders', { secrets: ['db'], identity: 'application', signIn })], { clusters, ...more });

const objects = 'kubernetes:aadpodidentity.k8s.io/v1:AzureIdentity';
const deployment = 'kubernetes:apps/v1:Deployment';
const credential = 'azure-native:managedidentity:FederatedIdentityCredential';
const roles = 'azure-native:authorization:RoleAssignment';
const release = 'kubernetes:helm.sh/v3:Release';
const templateOf = ({ find }: Deployment) =>
  (find(deployment, 'aks-1-orders').inputs as { spec: { template: { metadata: Record<string, object> } } })
    .spec.template.metadata;

describe('an application that signs in with aad-pod-identity', () => {
  let whole: Deployment;
  beforeAll(async () => {
    whole = await deploy(signing('podIdentity'));
  });

  it('has a binding by its name and the label, and no trust', () => {
    const { find, names } = whole;

    expect(find(`${objects}Binding`, 'aks-1-orders-binding').inputs).toMatchObject({
      metadata: { name: 'orders', namespace: 'orders' },
      spec: { azureIdentity: 'orders', selector: 'orders' },
    });
    expect(find(objects, 'aks-1-orders-identity').inputs).toMatchObject({ spec: { type: 0 } });
    expect(templateOf(whole).labels).toEqual({
      'app.kubernetes.io/name': 'orders',
      aadpodidbinding: 'orders',
    });
    expect(names(credential).filter((name) => name.startsWith('aks-1-orders'))).toEqual([]);
  });

  it('is distinguished by the id of its identity, which replaces its pods', () => {
    const { spec } = whole.find(objects, 'aks-1-orders-identity').inputs as { spec: { clientID: string } };

    expect(templateOf(whole).annotations).toMatchObject({ 'aks-workload-identity/client-id': spec.clientID });
  });

  it('has a network of iptables on a new cluster', () => {
    expect(whole.find('azure-native:containerservice:ManagedCluster', 'aks-1').inputs).toMatchObject({
      networkProfile: { networkDataplane: 'azure' },
    });
  });

  it('has trust and both labels with both', async () => {
    const both = await deploy(signing('both'));

    expect(templateOf(both).labels).toMatchObject({
      aadpodidbinding: 'orders',
      'azure.workload.identity/use': 'true',
    });
    expect(both.names(credential)).toContain('aks-1-orders/orders_orders');
    expect(both.names(`${objects}Binding`)).toEqual(['aks-1-orders-binding']);
  });

  it('has its password in a secret that the node component may read, and no other, as a service principal', async () => {
    const identity = { servicePrincipal: { credential: 'password', storedPassword: 'accepted' } };
    const { find, names } = await deploy(
      input([application('orders', { secrets: ['db'], identity, signIn: 'podIdentity' })], { clusters }),
    );

    expect(find(objects, 'aks-1-orders-identity').inputs).toMatchObject({
      spec: { type: 1, clientPassword: { name: 'orders.pod-identity', namespace: 'orders' } },
    });
    expect(find('kubernetes:core/v1:Secret', 'aks-1-orders-password').inputs).toMatchObject({
      // As a secret of the state.
      stringData: { value: { AZURE_CLIENT_SECRET: expect.stringContaining('password of') as string } },
    });
    expect(
      find('kubernetes:rbac.authorization.k8s.io/v1:Role', 'aks-1-orders-password-reader').inputs,
    ).toMatchObject({
      rules: [{ resources: ['secrets'], resourceNames: ['orders.pod-identity'], verbs: ['get'] }],
    });
    expect(names('kubernetes:core/v1:Secret')).not.toContain('aks-1-orders-credential');
  });

  it('has nothing of it by default', async () => {
    const { names } = await deploy(signing(undefined));

    expect(names(objects)).toEqual([]);
    expect(names(release)).toContain('aks-1-pod-identity');
  });

  it('is of its namespace also where aad-pod-identity exists, which is not installed then', async () => {
    const there = [{ name: 'aks-1', podIdentity: { install: false } }];
    const { find, names } = await deploy(signing('podIdentity', { clusters: there }));

    expect(names(release)).not.toContain('aks-1-pod-identity');
    expect(names(objects)).toEqual(['aks-1-orders-identity']);
    expect(find(objects, 'aks-1-orders-identity').inputs).toMatchObject({
      metadata: { annotations: { 'aadpodidentity.k8s.io/Behavior': 'namespaced' } },
    });
  });

  it.each([
    [{ unsupportedKubernetes: true }, 'kube-system'],
    [{ install: false }, 'kube-system'],
    [{ install: false, namespace: 'identity' }, 'identity'],
    [{ install: false, tokenEvents: false }, undefined],
  ])(
    'has events of its tokens, from the log in the namespace of the node component: %j',
    async (podIdentity, namespace) => {
      const tokenEvents = namespace === undefined ? undefined : { intervalSeconds: 5 };
      const settings = { clusters: [{ name: 'aks-1', podIdentity }], tokenEvents };
      const { find, names, result } = await deploy(signing('podIdentity', settings));
      const created = names('aks-workload-identity:podIdentity:TokenEvents');

      expect(created).toEqual(namespace === undefined ? [] : ['aks-1-token-events']);
      expect(result.tokenEvents && (await valueOf(result.tokenEvents))).toEqual(namespace && ['aks-1']);
      if (namespace === undefined) return;
      expect(
        find('kubernetes:rbac.authorization.k8s.io/v1:Role', 'aks-1-token-events-logs').inputs,
      ).toMatchObject({
        metadata: { namespace },
      });
      expect(find(deployment, 'aks-1-token-events-reconciler').inputs).toMatchObject({
        spec: {
          template: { spec: { containers: [{ env: [{ name: 'INTERVAL_SECONDS', value: '5' }, {}] }] } },
        },
      });
    },
  );

  it('shares one role assignment with others of its identity, under the name that it may have had', async () => {
    const nodes = '11111111-2222-4333-8444-555555555555';
    const applications = ['orders', 'billing'].map((name) => application(name, { signIn: 'podIdentity' }));
    const imported = { roleAssignments: { 'aks-1-pod-identity-nodes': nodes } };
    const { find, names } = await deploy(input(applications, { clusters, imported }));

    expect(names(objects)).toHaveLength(2);
    expect(names(roles).filter((name) => name.startsWith('aks-1-pod-identity'))).toHaveLength(2);
    expect(names(roles)).toEqual(
      expect.arrayContaining(['aks-1-pod-identity-nodes', 'aks-1-pod-identity/aks-1']),
    );
    expect(find(roles, 'aks-1-pod-identity-nodes').inputs.roleAssignmentName).toBe(nodes);
  });

  it.each(['podIdentity', 'both'])('has nothing of it once it is revoked: %s', async (signIn) => {
    const revoked = await deploy(signing(signIn, { revoked: { applications: { orders: 'a test' } } }));

    for (const kind of [objects, `${objects}Binding`]) expect(revoked.names(kind)).toEqual([]);
    expect(revoked.names(roles)).not.toContain('aks-1-pod-identity/aks-1-orders');
    expect(templateOf(revoked).labels).not.toHaveProperty('aadpodidbinding');
  });
});
