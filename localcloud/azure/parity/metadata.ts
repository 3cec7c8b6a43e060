import type { ParityRow } from './row';
import { row } from './row';

/** The instance metadata service of nodes. */
export const METADATA: readonly ParityRow[] = [
  row(
    'Metadata service',
    ['Identities_AcquireToken'],
    'Tokens of the identities on a node: the kubelet’s, and the Key Vault add-on’s; for every pod on it, recorded for audit',
    'Reached by the proxy of the node’s processes; no token is cached',
    'metadata',
    'issues a token of an identity on the node by its client, object or resource id',
  ),
  row(
    'Metadata service',
    ['Identities_AcquireToken'],
    'The groups of the identity, until the token ends',
    '',
    'metadata',
    'has the groups of the identity in its token',
  ),
  row(
    'Metadata service',
    ['Identities_AcquireToken'],
    'An identity must be named if a node has several',
    '',
    'metadata',
    'gives the only identity of a node without being told, and none of several',
  ),
  row(
    'Metadata service',
    ['Identities_AcquireToken'],
    'Only identities on nodes of the same cluster',
    'Node credentials in the proxy’s URL tell clusters apart',
    'metadata',
    'refuses an identity that is on no node of the cluster, also one of another cluster',
  ),
  row(
    'Metadata service',
    ['Identities_AcquireToken'],
    'The form of answers; tokens of 24 hours',
    'The same in each api-version; no other endpoint, such as instance data',
    'metadata',
    'issues tokens for 24 hours, in the form of the metadata service',
    true,
  ),
  {
    ...row(
      'Metadata service',
      ['Identities_AcquireToken'],
      'With aad-pod-identity in the cluster: pods ask the vendor’s node component (NMI), which the vendor’s controller (MIC) assigns identities for; it gets its tokens here, as the node',
      'In place of the node’s packet filter, which is not there, so that a network in which it does not work (Cilium, kubenet) is not shown, the service passes on the requests of pods, which it tells apart by credentials in the proxy’s URL; 10.x.y.z is 127.x.y.z for the component. Ports for metrics are not opened',
      '',
      'assigns an identity to the node by its controller, and gives its pod a token of it',
    ),
    test: {
      file: 'localcloud/tests/services/kubernetes/podIdentity.test.ts',
      name: 'assigns an identity to the node by its controller, and gives its pod a token of it',
    },
  },
];
