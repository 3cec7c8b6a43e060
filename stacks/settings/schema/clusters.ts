import * as z from 'zod';
import { limits } from '../../../components/azure/limits';
import { clusterType, identityType } from '../../../components/azure/resourceId';
import {
  addressRange,
  boolean,
  choice,
  countField,
  field,
  guidField,
  issuerPattern,
  labels,
  name,
  object,
  pattern,
  resourceId,
  retainOnDelete,
  tags,
  validity,
} from './fields';
import { hyperShift } from './hyperShift';
import { podIdentity } from './podIdentity';

export const identityId = resourceId(
  identityType,
  'userAssignedIdentity',
  'Resource id of an existing identity. It is used, never changed and never deleted.',
);

export const existingIdentityField = (description: string) => object(description, { existing: identityId });

/** A service principal instead of a managed identity. */
export const servicePrincipal = (what: string) =>
  field(z.literal('servicePrincipal'), {
    description: `servicePrincipal: ${what}`,
    allowed: 'servicePrincipal',
  });

/** A service principal that signs in with a stored credential, which whoever reads it can use as well. */
export const storedServicePrincipal = () =>
  object(
    'An application in Entra that signs in with a stored credential, where federation is not possible.',
    {
      servicePrincipal: object('How the service principal signs in.', {
        credential: choice(
          ['certificate', 'password'],
          'certificate: with a private key. password: with a password, which needs `storedPassword: accepted`.',
        ),
        storedPassword: field(z.literal('accepted'), {
          description:
            'accepted: a password is stored, and anyone who reads it can sign in as the application from anywhere. Each update warns about it.',
          allowed: 'accepted',
        }).optional(),
        ...validity('certificate or a password'),
      }),
    },
  );

/** Generations of an identity that the stack creates. They move its clients to another identity without interruption. */
export const identityGenerations = (whose: string) =>
  field(
    z
      .array(countField('A generation.', 1, 999))
      .min(1)
      .max(2),
    {
      description: `Existing generations of ${whose}. Applications run as the first; the second has the same trust and grants. Default: [1].`,
      allowed: 'one or two different integers from 1 to 999, the one in use first',
      example: '[1, 2]',
    },
  );

/** Fields of a cluster of any mode. */
const clusterFields = {
  labels: labels('Labels with which applications select their clusters.').optional(),
  identity: existingIdentityField(
    "An existing identity to use as the cluster's own. Default: a new one, id-<stack>-<cluster>.",
  ).optional(),
  identityGenerations: identityGenerations("the cluster's own identity and of its shards").optional(),
  operatorIdentity: field(
    z.union([
      servicePrincipal('an application in Entra, instead of a managed identity.'),
      existingIdentityField('An existing identity.'),
      storedServicePrincipal(),
    ]),
    {
      description:
        'Identity of the service operator. Default: a new managed identity, id-<stack>-<cluster>-aso.',
      allowed:
        'servicePrincipal, { existing: <resource id> }, or { servicePrincipal: { credential: certificate } }',
      discriminatingKeys: ['existing', 'servicePrincipal'],
    },
  ).optional(),
  podIdentity: podIdentity.optional(),
  hyperShift: hyperShift.optional(),
  retainOnDelete: retainOnDelete('the cluster and its identities').optional(),
};

const clusterName = name(
  'application',
  'Name of the cluster, which is part of the names of its identities. It must not be the name of another cluster with -aso appended, which is reserved.',
);

const mode = <T extends string>(value: T) =>
  field(z.literal(value), {
    description:
      'create: a new AKS cluster. existing: an existing AKS cluster. external: any Kubernetes cluster with a public issuer.',
    allowed: 'create, existing, external',
  });

const created = z.strictObject({
  name: clusterName,
  mode: mode('create').optional().default('create'),
  ...clusterFields,
  kubernetesVersion: pattern(
    /^1\.\d+(\.\d+)?$/,
    'Kubernetes version. Without a patch number, AKS installs patches automatically. Default: the default version of AKS.',
    'a version in quotes such as "1.35" or "1.35.4"',
  ).optional(),
  nodes: object('Nodes of the system pool.', {
    count: countField('Number of nodes.', ...limits.count).optional(),
    vmSize: pattern(
      /^Standard_[\w-]+$/,
      'Size of the virtual machines.',
      'a size such as Standard_D4ds_v5',
    ).optional(),
  }).optional(),
  tier: choice(['Free', 'Standard', 'Premium'], 'Service tier of the API server.').optional(),
  administratorGroups: field(z.array(guidField('Object id of an Entra group.')).min(1), {
    description:
      'Entra groups that administer the cluster. Setting them disables its local accounts. Default: none.',
    allowed: 'a list of object ids',
  }).optional(),
  authorizedIpRanges: field(z.array(addressRange).min(1), {
    description: 'Public addresses that can reach the API server. Default: all.',
    allowed: 'a list of IPv4 addresses or ranges',
  }).optional(),
  tags: tags("Tags of the cluster, in addition to the environment's.").optional(),
});

const existing = z.strictObject({
  name: clusterName,
  mode: mode('existing'),
  ...clusterFields,
  id: resourceId(clusterType, 'managedCluster', 'mode existing: resource id of the cluster.'),
  enable: boolean(
    'mode existing: enable the OIDC issuer and workload identity if they are disabled. They are never disabled again. Default: `enableWorkloadIdentity` of the environment.',
  ).optional(),
});

const external = z.strictObject({
  name: clusterName,
  mode: mode('external'),
  ...clusterFields,
  issuer: pattern(
    issuerPattern,
    "mode external: issuer of the service accounts' tokens, exactly as in the tokens, including a trailing slash.",
    'an https:// URL without query or fragment, reachable by Entra, as `kubectl get --raw /.well-known/openid-configuration` prints it',
  ),
});

export const cluster = field(z.discriminatedUnion('mode', [created, existing, external]), {
  description: 'A cluster.',
  allowed: 'an object with at least `name`',
});
