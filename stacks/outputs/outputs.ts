import type * as pulumi from '@pulumi/pulumi';
import * as z from 'zod';
import { times } from './accessWindows';
import { hostedClusterOutput } from './hostedClusterOutput';

const identityOutput = z.object({
  /** Resource id, or `/applications/<object id>` for an application in Entra. */
  id: z.string(),
  /** Application (client) id, with which service accounts are annotated. */
  clientId: z.string(),
  /** Object id, to which access is granted. */
  principalId: z.string(),
});

/** A resource group that the stack created. */
const resourceGroupOutput = z.object({
  /** Resource id. */
  id: z.string(),
});

/** A vault of the environment, created or existing. */
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
  /** `create`: the stack created it. `existing`: it existed before. `external`: it is not an AKS cluster. */
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

/** An identity that the stack created, and everything that it is to trust. */
const trustingIdentity = z.object({
  /** The cluster whose service accounts it trusts. */
  cluster: z.string(),
  /** Name in Azure or in Entra. */
  name: z.string(),
  /** Resource id, or `/applications/<object id>` for an application in Entra. */
  id: z.string(),
  /** Client id, for an application in Entra. */
  clientId: z.string().exactOptional(),
  /** Object id of its service principal, for an application in Entra and for the reconcilers. */
  principalId: z.string().exactOptional(),
  trusts: z.array(trust),
  /** The stored credential that it signs in with; undefined if it signs in with federation. */
  credential: z
    .object({
      kind: z.enum(['certificate', 'password']),
      /** The vault and its secret that hold the newest credential. */
      vault: z.string(),
      secret: z.string(),
      /** Ids in Entra of all valid credentials, the newest last. */
      keyIds: z.array(z.string()),
      /** When the newest one expires (RFC 3339). */
      expiresOn: z.string(),
      /** Time from which an update renews it (RFC 3339). */
      renewAfter: z.string(),
    })
    .exactOptional(),
});

const namedIdentity = identityOutput.extend({ name: z.string() });

const secret = z.object({ vault: z.string(), secret: z.string() });

const role = z.object({
  /** GUID of the role. */
  role: z.string(),
  /** Id of the resource or other scope that the role is assigned on. */
  scope: z.string(),
});

/** Group whose membership gives the access; undefined if it was granted to the identity itself. */
const byGroup = { group: z.string().exactOptional() };

/** An application on one cluster. */
const workload = z.object({
  cluster: z.string(),
  application: z.string(),
  /** Version that the release file pins for this environment; undefined for an application without one. */
  version: z.string().exactOptional(),
  /** Digest of what that version runs and may read. If the release has another digest, it was edited since. */
  digest: z.string().exactOptional(),
  namespace: z.string(),
  /** The service account that its pods run under. */
  serviceAccount: z.string(),
  /** All its service accounts, `serviceAccount` first; each is trusted with the same audience. */
  serviceAccounts: z.array(z.string()),
  /** The identity that it runs as; `name` is its name in Azure. */
  identity: namedIdentity,
  /** Other generations of that identity, with the same trust and grants. */
  identitiesBeside: z.array(namedIdentity),
  /** Issuer of the tokens that the identity trusts, which is the cluster's. */
  issuer: z.string(),
  /** Name of the Kubernetes secret in its namespace that it signs in with; undefined if it signs in with tokens. */
  credentialSecret: z.string().exactOptional(),
  /** Subject of the tokens of `serviceAccount`. */
  subject: z.string(),
  /** Audience that the tokens must have. */
  audience: z.string(),
  /** True if it is known to have pods at all times: not without replicas, and not for a chart. */
  hasPods: z.boolean(),
  /** How its pods sign in, if not by workload identity alone. */
  signIn: z.enum(['podIdentity', 'both']).exactOptional(),
  /** Set if it uses its identity through an AKS identity binding: no federated credential trusts its service accounts. */
  trust: z.literal('identityBinding').exactOptional(),
  /** Set if the application may no longer sign in. */
  revoked: z.literal(true).exactOptional(),
  /** Secrets and roles that it has only at times. */
  windows: z.array(z.union([secret.extend(times.shape), role.extend(times.shape)])),
  /** The secrets that the application reads, and its roles. Its identity may have further grants, for other applications. */
  grants: z.array(z.union([secret.extend(byGroup), role.extend(byGroup)])),
});

/** An Entra group with identities as members. */
const groupOutput = z.object({
  /** Name in the stack file. */
  name: z.string(),
  /** Display name in Entra. */
  displayName: z.string(),
  /** Object id, to which access is granted. */
  objectId: z.string(),
  /** True if the stack created it. An existing group may have members that others added. */
  isMade: z.boolean(),
  /** Secrets that its members may read, and their roles. */
  grants: z.array(z.union([secret, role])),
  /** The identities that the stack added as members, by name in Azure and object id. */
  members: z.array(z.object({ cluster: z.string(), name: z.string(), principalId: z.string() })),
});

/** An Azure service that an application depends on. */
const dependencyOutput = z.object({
  application: z.string(),
  /** Name in the application's settings. */
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

/** The identity of the connection writer, with the cluster on which it runs. */
const connectionWriterOutput = namedIdentity.extend({
  cluster: z.string(),
  /** GUID of its role on the holders of the keys and on the secrets. */
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

/** An AKS identity binding of an identity on a cluster. */
const identityBindingOutput = z.object({
  cluster: z.string(),
  /** Resource id. */
  id: z.string(),
  /** The identity; `name` is its name in Azure. */
  identity: namedIdentity,
  /** Name of the ClusterRole and of the ClusterRoleBinding in the cluster. */
  role: z.string(),
  /** The service accounts that may use the identity: `<namespace>/<service account>`. */
  serviceAccounts: z.array(z.string()),
});

/** The outputs of a stack: for the verification, for the command, and for other stacks by reference. */
export const stackOutputs = z.object({
  /** Name of the environment. */
  environment: z.string(),
  /** Name of the cell; undefined for the stack of an environment. */
  cell: z.string().exactOptional(),
  /** The cells of the environment, whose stacks deploy its clusters; undefined without cells. */
  cells: z
    .array(z.object({ name: z.string(), stack: z.string(), wave: z.number(), clusters: z.array(z.string()) }))
    .exactOptional(),
  /** Parts that the stack deployed for its cells, in words. A cell that needs more is refused. Undefined without cells. */
  forCells: z.array(z.string()).exactOptional(),
  tenantId: z.string(),
  /** Subscription of the resource group. */
  subscriptionId: z.string(),
  resourceGroup: z.string(),
  /** Every resource group that the stack created, without existing ones. */
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
  /** Every identity that the stack created, also those that no application runs as, without existing ones. */
  identities: z.array(trustingIdentity),
  /** The Entra groups. */
  groups: z.array(groupOutput),
  /** The applications' dependencies, each once. */
  dependencies: z.array(dependencyOutput),
  /** The identities of the reconcilers of `windows`, each with its cluster; undefined without windows. */
  reconcilers: z.array(namedIdentity.extend({ cluster: z.string() })).exactOptional(),
  /** The identities of the connection writers; undefined without `connection: vault`. */
  connectionWriters: z.array(connectionWriterOutput).exactOptional(),
  /** The AKS identity bindings; undefined without `trust: identityBinding`. */
  identityBindings: z.array(identityBindingOutput).exactOptional(),
  /** The clusters on which events of aad-pod-identity's tokens are written; undefined if there are none. */
  tokenEvents: z.array(z.string()).exactOptional(),
  /** The hosted clusters of HyperShift. */
  hostedClusters: z.array(hostedClusterOutput),
});

export type StackOutputs = z.output<typeof stackOutputs>;
export type VaultOutput = z.output<typeof vaultOutput>;
export type TrustingIdentityOutput = z.output<typeof trustingIdentity>;
export type IdentityBindingOutput = z.output<typeof identityBindingOutput>;
export type GroupOutput = z.output<typeof groupOutput>;
export type WorkloadOutput = z.output<typeof workload>;

/** The outputs during the deployment, each by itself so that only the kubeconfigs become a secret. */
export type PendingOutputs = { [Key in keyof StackOutputs]: pulumi.Output<StackOutputs[Key]> };
