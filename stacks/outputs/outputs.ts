import type * as pulumi from '@pulumi/pulumi';
import { z } from 'zod';

const identityOutput = z.object({
  /** Resource id; of an application in Entra `/applications/<object id>`. */
  id: z.string(),
  /** Application (client) id: what service accounts are annotated with. */
  clientId: z.string(),
  /** Object id: what access is granted to. */
  principalId: z.string(),
});

/** A resource group that the stack made. */
const resourceGroupOutput = z.object({
  /** Resource id. */
  id: z.string(),
});

/** A vault of the environment, made or existing. */
const vaultOutput = z.object({
  /** Resource id. */
  id: z.string(),
  /** `https://<name>.vault.azure.net/`. */
  uri: z.string(),
  access: z.enum(['rbac', 'accessPolicy']),
  /** Every secret that an application reads from it. */
  secrets: z.array(z.string()),
});

/** A cluster of the environment. */
const clusterOutput = z.object({
  /** Made by the stack, there before, or no managed cluster at all. */
  mode: z.enum(['create', 'existing', 'external']),
  /** Resource id; an external cluster has none. */
  id: z.string().exactOptional(),
  /** Issuer of its service accounts' tokens, with its trailing slash. */
  issuer: z.string(),
  /** The cluster's own identity. */
  identity: identityOutput,
});

/** A service account, or another subject, that an identity trusts. */
const trust = z.object({
  /** Issuer of its tokens. */
  issuer: z.string(),
  subject: z.string(),
  /** Audience that the tokens must have. */
  audience: z.string(),
});

/** An identity that the stack made, and everything that it is to trust. */
const trustingIdentity = z.object({
  /** The cluster whose service accounts it trusts. */
  cluster: z.string(),
  /** Name in Azure or in Entra. */
  name: z.string(),
  /** Resource id; of an application in Entra `/applications/<object id>`. */
  id: z.string(),
  /** Of an application in Entra: its client id. */
  clientId: z.string().exactOptional(),
  /** Of an application in Entra, and of what opens and closes access windows: object id of its service principal. */
  principalId: z.string().exactOptional(),
  trusts: z.array(trust),
  /** By what it signs in that is stored; undefined of one that signs in by federation. */
  credential: z
    .object({
      kind: z.enum(['certificate', 'password']),
      /** Vault, and name of the secret there, that hold the newest one. */
      vault: z.string(),
      secret: z.string(),
      /** Ids in Entra of all that are valid, the newest last. */
      keyIds: z.array(z.string()),
      /** When the newest one expires (RFC 3339). */
      expiresOn: z.string(),
      /** From when on an update renews it (RFC 3339). */
      renewAfter: z.string(),
    })
    .exactOptional(),
});

const namedIdentity = identityOutput.extend({ name: z.string() });

const secret = z.object({ vault: z.string(), secret: z.string() });

const role = z.object({
  /** GUID of the role. */
  role: z.string(),
  /** Id of what it is assigned on. */
  scope: z.string(),
});

/** Name of the group as a member of which it has it. Undefined: its identity was granted it. */
const byGroup = { group: z.string().exactOptional() };

/** An access window. */
export const windowOutput = z.object({
  days: z.array(z.string()).exactOptional(),
  from: z.string().exactOptional(),
  to: z.string().exactOptional(),
  timeZone: z.string(),
  validFrom: z.string().exactOptional(),
  validUntil: z.string().exactOptional(),
});

const times = {
  /** When it is open, in local time. */
  windows: z.array(windowOutput),
  /** The longest time for which a person may open it, such as `4h`. */
  onDemand: z.string().exactOptional(),
};

/** An application on one cluster. */
const workload = z.object({
  cluster: z.string(),
  application: z.string(),
  /** Version that the release file pins for this environment; undefined of an application without one. */
  version: z.string().exactOptional(),
  /** Digest of what that version runs and may read: if the release has another, it was edited since. */
  digest: z.string().exactOptional(),
  namespace: z.string(),
  /** The service account that its pods run under. */
  serviceAccount: z.string(),
  /** All its service accounts, that one first; each is trusted with the same audience. */
  serviceAccounts: z.array(z.string()),
  /** The identity that it runs as; `name` is that in Azure. */
  identity: namedIdentity,
  /** Other generations of that identity, with the same trust and grants. */
  identitiesBeside: z.array(namedIdentity),
  /** Issuer of the tokens that the identity trusts: the cluster's. */
  issuer: z.string(),
  /** Name of the Kubernetes secret in its namespace that it signs in with; undefined: it does by tokens. */
  credentialSecret: z.string().exactOptional(),
  /** Subject of the tokens of `serviceAccount`. */
  subject: z.string(),
  /** Audience that the tokens must have. */
  audience: z.string(),
  /** Whether it has pods at all times: not without replicas, and of a chart it is not known. */
  hasPods: z.boolean(),
  /** How its pods sign in, if not by workload identity alone. */
  signIn: z.enum(['podIdentity', 'both']).exactOptional(),
  /** Present where the application may no longer sign in. */
  revoked: z.literal(true).exactOptional(),
  /** The secrets that it reads at times, and the roles that it has at times. */
  windows: z.array(z.union([secret.extend(times), role.extend(times)])),
  /** The secrets that the application reads, and its roles. Its identity may have been granted more, by other applications. */
  grants: z.array(z.union([secret.extend(byGroup), role.extend(byGroup)])),
});

/** A group of Entra that identities are members of. */
const groupOutput = z.object({
  /** Name in the stack file. */
  name: z.string(),
  /** Display name in Entra. */
  displayName: z.string(),
  /** Object id: what access is granted to. */
  objectId: z.string(),
  /** The stack made it; otherwise it exists, and others may have their members in it. */
  isMade: z.boolean(),
  /** What its members may read, and their roles. */
  grants: z.array(z.union([secret, role])),
  /** The identities that the stack made members, by name in Azure and object id. */
  members: z.array(z.object({ cluster: z.string(), name: z.string(), principalId: z.string() })),
});

/** A service of Azure that an application depends on. */
const dependencyOutput = z.object({
  application: z.string(),
  /** What the application calls it. */
  name: z.string(),
  /** storageAccount, postgresql, redis, serviceBus, identity, vault or resource. */
  kind: z.string(),
  /** Name in Azure. */
  azureName: z.string(),
  resourceId: z.string(),
  /** Name of the cluster whose operator provisions it. */
  managedBy: z.string(),
  /** How the application signs in to it. */
  connection: z.enum(['identity', 'secret', 'vault']),
});

/** The identity of what keeps connection strings current, with the cluster on which it runs. */
const connectionWriterOutput = namedIdentity.extend({
  cluster: z.string(),
  /** GUID of the role that it has on what has the keys, and on the secrets. */
  role: z.string(),
  connections: z.array(
    z.object({
      application: z.string(),
      dependency: z.string(),
      vault: z.string(),
      secret: z.string(),
    }),
  ),
});

/** An identity of a hosted cluster. */
const hostedIdentity = z.object({
  /** The component that signs in as it. */
  component: z.string(),
  /** Name in Azure, or in Entra if it signs in by certificate. */
  name: z.string(),
  /** Application (client) id. */
  clientId: z.string(),
  /** Object id: what access is granted to. */
  principalId: z.string(),
  /** What it is assigned: the GUID of the role, its name in Azure if it is a built-in one, and a resource id. */
  roles: z.array(z.object({ role: z.string(), name: z.string().exactOptional(), scope: z.string() })),
});

/** A component of a hosted cluster's control plane; without what follows the roles, it signs in by federation. */
const hostedComponent = hostedIdentity.extend({
  /** Name of the secret in `vault` with its credentials. */
  secret: z.string().exactOptional(),
  /** Name of the SecretProviderClass by which its pods mount them. */
  secretProviderClass: z.string().exactOptional(),
  /** When its newest certificate expires (RFC 3339). */
  expiresOn: z.string().exactOptional(),
  /** Ids of its certificates in Entra, the newest last. */
  keyIds: z.array(z.string()).exactOptional(),
});

/** A hosted cluster of HyperShift. */
const hostedClusterOutput = z.object({
  name: z.string(),
  /** Version that the release file pins for this environment; undefined of a hosted cluster without one. */
  version: z.string().exactOptional(),
  /** Digest of the `spec` of that version: if the release has another, it was edited since. */
  digest: z.string().exactOptional(),
  /** Name of the cluster that its control plane runs on. */
  managementCluster: z.string(),
  /** Namespace of the HostedCluster there. */
  namespace: z.string(),
  /** Namespace of its control plane, where the SecretProviderClasses are. */
  controlPlaneNamespace: z.string(),
  authentication: z.enum(['ManagedIdentities', 'WorkloadIdentities']),
  /** Name of the vault with the credentials; undefined where all components sign in by federation. */
  vault: z.string().exactOptional(),
  /** The identity on the management cluster's nodes that reads them. */
  reader: identityOutput.omit({ id: true }).exactOptional(),
  /** From when on an update renews the certificates (RFC 3339). */
  renewAfter: z.string().exactOptional(),
  components: z.array(hostedComponent),
  /** The identities of its nodes; none where all components sign in by federation. */
  nodes: z.array(hostedIdentity),
  /** The stack makes the HostedCluster, and not somebody else. */
  makesHostedCluster: z.boolean(),
  /** How the vault holds the credentials. */
  objectEncoding: z.string().exactOptional(),
  /** Who makes the SecretProviderClasses. */
  secretProviderClasses: z.enum(['hypershift', 'stack']).exactOptional(),
  /** The stack installs HyperShift on the management cluster, with the reader; absent if others do. */
  installsHyperShift: z.boolean().exactOptional(),
  /** Merge patch of the HostedCluster, with every field that names an identity. */
  patch: z.looseObject({}),
  /** What else of its `spec` follows from the settings: its issuer, tenant and places. Whoever makes it sets these. */
  place: z.looseObject({}),
});

/** The outputs of a stack: for the verification, for the command, and for other stacks by reference. */
export const stackOutputs = z.object({
  /** Name of the stack. */
  environment: z.string(),
  tenantId: z.string(),
  /** Subscription of the resource group. */
  subscriptionId: z.string(),
  resourceGroup: z.string(),
  /** Every resource group that the stack made; existing ones are not among them. */
  resourceGroups: z.array(resourceGroupOutput),
  /** Resource id of the workspace with the audit logs; undefined without `logs`. */
  logWorkspace: z.string().exactOptional(),
  /** By name of the vault. */
  vaults: z.record(z.string(), vaultOutput),
  /** By name of the cluster. */
  clusters: z.record(z.string(), clusterOutput),
  /** By name of the cluster: kubeconfigs of an administrator. A secret. */
  kubeconfigs: z.record(z.string(), z.string()),
  workloads: z.array(workload),
  /** Every identity that the stack made, also one that no application runs as; existing identities are not among them. */
  identities: z.array(trustingIdentity),
  /** The groups of Entra. */
  groups: z.array(groupOutput),
  /** The applications' dependencies, each once. */
  dependencies: z.array(dependencyOutput),
  /** The identities of what opens and closes access windows, with the cluster on which it runs; undefined without windows. */
  reconcilers: z.array(namedIdentity.extend({ cluster: z.string() })).exactOptional(),
  /** The identities of what keeps connection strings current; undefined without `connection: vault`. */
  connectionWriters: z.array(connectionWriterOutput).exactOptional(),
  /** The clusters on which events of aad-pod-identity's tokens are written; undefined without any. */
  tokenEvents: z.array(z.string()).exactOptional(),
  /** The hosted clusters of HyperShift. */
  hostedClusters: z.array(hostedClusterOutput),
});

export type StackOutputs = z.output<typeof stackOutputs>;
export type VaultOutput = z.output<typeof vaultOutput>;
export type TrustingIdentityOutput = z.output<typeof trustingIdentity>;
export type HostedClusterOutput = z.output<typeof hostedClusterOutput>;
export type GroupOutput = z.output<typeof groupOutput>;
export type WorkloadOutput = z.output<typeof workload>;

/** The outputs while they are being made; each on its own, so that only the kubeconfigs become a secret. */
export type PendingOutputs = { [Key in keyof StackOutputs]: pulumi.Output<StackOutputs[Key]> };
