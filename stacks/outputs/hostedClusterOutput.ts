import * as z from 'zod';

/** An identity of a hosted cluster. */
const hostedIdentity = z.object({
  /** The component that signs in as it. */
  component: z.string(),
  /** Name in Azure, or in Entra if it signs in with certificate. */
  name: z.string(),
  /** Application (client) id. */
  clientId: z.string(),
  /** Object id, to which access is granted. */
  principalId: z.string(),
  /** Its roles: GUID, name in Azure if the role is a built-in one, and the id of the resource as scope. */
  roles: z.array(z.object({ role: z.string(), name: z.string().exactOptional(), scope: z.string() })),
});

/** A component of a hosted cluster's control plane. Without the fields after its roles, it signs in with federation. */
const hostedComponent = hostedIdentity.extend({
  /** Name of the secret in `vault` with its credentials. */
  secret: z.string().exactOptional(),
  /** Name of the SecretProviderClass with which its pods mount them. */
  secretProviderClass: z.string().exactOptional(),
  /** When its newest certificate expires (RFC 3339). */
  expiresOn: z.string().exactOptional(),
  /** Ids of its certificates in Entra, the newest last. */
  keyIds: z.array(z.string()).exactOptional(),
});

/** A hosted cluster of HyperShift. */
export const hostedClusterOutput = z.object({
  name: z.string(),
  /** Version that the release file pins for this environment; undefined for a hosted cluster without one. */
  version: z.string().exactOptional(),
  /** Digest of the `spec` of that version. If the release has another digest, it was edited since. */
  digest: z.string().exactOptional(),
  /** Name of the cluster that its control plane runs on. */
  managementCluster: z.string(),
  /** Namespace of the HostedCluster there. */
  namespace: z.string(),
  /** Namespace of its control plane, where the SecretProviderClasses are. */
  controlPlaneNamespace: z.string(),
  authentication: z.enum(['ManagedIdentities', 'WorkloadIdentities']),
  /** Name of the vault with the credentials; undefined if all components sign in with federation. */
  vault: z.string().exactOptional(),
  /** The identity on the management cluster's nodes that reads them. */
  reader: hostedIdentity.pick({ clientId: true, principalId: true }).exactOptional(),
  /** Time from which an update renews the certificates (RFC 3339). */
  renewAfter: z.string().exactOptional(),
  components: z.array(hostedComponent),
  /** The identities of its nodes; empty if all components sign in with federation. */
  nodes: z.array(hostedIdentity),
  /** True if the stack creates the HostedCluster. */
  makesHostedCluster: z.boolean(),
  /** Encoding of the credentials in the vault. */
  objectEncoding: z.string().exactOptional(),
  /** The creator of the SecretProviderClasses. */
  secretProviderClasses: z.enum(['hypershift', 'stack']).exactOptional(),
  /** True if the stack installs HyperShift on the management cluster, with the reader; absent if others do. */
  installsHyperShift: z.boolean().exactOptional(),
  /** Merge patch of the HostedCluster, with every field that names an identity. */
  patch: z.looseObject({}),
  /**
   * Other fields of its `spec` that follow from the settings: its issuer, tenant and places. Whoever creates the HostedCluster
   * sets these.
   */
  place: z.looseObject({}),
});

export type HostedClusterOutput = z.output<typeof hostedClusterOutput>;

/** Returns the identities of each hosted cluster, and the identity that reads their secrets. */
export function partsOf({
  hostedClusters,
}: Readonly<Record<'hostedClusters', readonly HostedClusterOutput[]>>) {
  return hostedClusters.map(
    ({ name, managementCluster: cluster, vault = '', reader, components, nodes }) => ({
      name: `hosted cluster ${name}`,
      cluster,
      identities: [...components, ...nodes].map((identity) => ({ cluster, ...identity })),
      reader: reader && {
        ...reader,
        secrets: components.flatMap(({ secret }) => (secret === undefined ? [] : { vault, secret })),
      },
    }),
  );
}
