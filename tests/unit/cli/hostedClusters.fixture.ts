import type { HostedClusterOutput } from '../../../stacks/outputs/hostedClusterOutput';
import type { StackOutputs } from '../../../stacks/outputs/outputs';

type Outputs = Pick<StackOutputs, 'hostedClusters' | 'identities'>;

const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222';
const group = `${subscription}/resourceGroups/rg-hc`;
const subnet = `${subscription}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes`;

/** An identity of a hosted cluster, named after its component. */
export function hostedIdentity(component: string, name = `id-${component}`) {
  const roles = [group, subnet].map((scope) => ({ role: `Operator of ${component}`, scope }));
  return { component, name, clientId: `client-${name}`, principalId: `principal-${name}`, roles };
}

/** A component that signs in with a certificate until the end of January. */
export function byCertificate(component: string): HostedClusterOutput['components'][number] {
  return {
    ...hostedIdentity(component),
    secret: `${component}-hc1-json`,
    secretProviderClass: `managed-azure-${component}`,
    expiresOn: '2027-01-30T08:00:00Z',
    keyIds: [`key-${component}`],
  };
}

/** The identities of the outputs, each trusting one service account in the namespace `system`. */
export const trusting = (...names: string[]): StackOutputs['identities'] =>
  names.map((name) => ({
    ...{ cluster: 'management', name, id: `${group}/identities/${name}` },
    trusts: [
      {
        issuer: 'https://issuer.example/',
        subject: `system:serviceaccount:system:${name}`,
        audience: 'openshift',
      },
    ],
  }));

/** Two hosted clusters: hc1 signs in with certificates, which an update renews from January on, hc2 by federation. */
export function twoHostedClusters(): Outputs {
  const common = {
    ...{ managementCluster: 'management', namespace: 'clusters', patch: {}, place: {} },
    makesHostedCluster: false,
  };
  return {
    hostedClusters: [
      {
        ...{
          ...common,
          name: 'hc1',
          controlPlaneNamespace: 'clusters-hc1',
          authentication: 'ManagedIdentities',
        },
        vault: 'kv-central',
        reader: { clientId: 'client-of-reader', principalId: 'principal-of-reader' },
        renewAfter: '2027-01-01T00:00:00.000Z',
        components: [byCertificate('disk'), byCertificate('network')],
        nodes: [hostedIdentity('disk', 'id-disk-node')],
      },
      {
        ...{
          ...common,
          name: 'hc2',
          controlPlaneNamespace: 'clusters-hc2',
          authentication: 'WorkloadIdentities',
        },
        components: [hostedIdentity('ingress')],
        nodes: [],
      },
    ],
    identities: trusting('id-disk-node', 'id-ingress'),
  };
}
