import * as z from 'zod';
import { limits } from '../../../components/azure/limits';
import { workspaceType } from '../../../components/azure/resourceId';
import { defaultAudience, maxCredentialsPerIdentity } from '../../../components/identity/subjects';
import { reconciler } from './accessWindows';
import { application, identityScope, secretName } from './applications';
import { cell } from './cells';
import { certManager, serviceOperator, workloadIdentityWebhook } from './charts';
import { cluster } from './clusters';
import { connections } from './connections';
import { servicesSettings } from './dependencies';
import {
  audience,
  boolean,
  countField,
  field,
  guidField,
  list,
  created,
  name,
  named,
  nameInStack,
  object,
  record,
  resourceGroup,
  resourceId,
  retainOnDelete,
  tags,
} from './fields';
import { group, slowRemoval } from './groups';
import { hostedCluster } from './hostedClusters';
import { tokenEvents } from './podIdentity';
import { policies } from './policies';
import { revoked } from './revoked';
import { placement, vault } from './vaults';

// The configuration of a stack. Its types, its defaults, its messages and the schemas for editors come from here.

const workspaceSettings = field(
  z.union([
    z
      .strictObject({
        name: name('logWorkspace', 'Name of the workspace to create.'),
        retentionInDays: countField(
          'Number of days for which logs are kept.',
          ...limits.retentionInDays,
        ).optional(),
      })
      .transform(created),
    z
      .strictObject({
        existing: resourceId(
          workspaceType,
          'logWorkspace',
          'Resource id of an existing workspace. It is used, never changed and never deleted.',
        ),
      })
      .transform(named),
  ]),
  {
    description: 'Log Analytics workspace.',
    allowed: 'an object with `name` or `existing`',
    discriminatingKeys: ['name', 'existing'],
  },
);

/** The whole configuration: the keys of the stack file that start with `aks-workload-identity:`. */
export const stackSchema = z.strictObject({
  location: field(z.string().regex(/^[a-z][a-z0-9]{1,62}$/), {
    description: 'Azure region.',
    allowed: 'the short name of a region, such as westeurope',
    example: 'westeurope',
  }),
  resourceGroup: resourceGroup(
    'Resource group of the environment, which has its clusters, identities and vaults.',
    'Resource id of an existing group, possibly in another subscription. It is used, never changed and never deleted.',
  ),
  identity: identityScope().default('cluster'),
  shard: boolean(
    `Spread the applications that run as their cluster's identity over further identities, because an identity trusts at most ${maxCredentialsPerIdentity} service accounts. Adding an application later moves no other.`,
  ).default(false),
  audience: audience('Audience of the tokens that the identities trust.').default(defaultAudience),
  vaults: placement().default('central'),
  vault,
  logs: object('Destination of the audit logs of vaults and clusters. Default: none.', {
    workspace: workspaceSettings,
  }).optional(),
  clusters: field(z.array(cluster).min(1), {
    description: 'The clusters.',
    allowed: 'a list of at least one cluster, such as [{ name: aks-1 }]',
  }),
  cells: list(
    cell,
    'Cells, each a stack with some of the clusters, which a rollout updates in waves. This stack keeps what they share: resource groups, vaults, logs and groups. Default: this stack has all clusters.',
    'a list of cells',
  ).default([]),
  enableWorkloadIdentity: boolean(
    'Enable the OIDC issuer and workload identity on every cluster of mode existing that lacks them. The preview says on which. Default: false: an error says how to enable them.',
  ).default(false),
  applications: list(application, 'The applications.', 'a list of applications').default([]),
  groups: list(
    group,
    `Entra groups that are granted secrets. Their members are the identities of applications; ${slowRemoval}.`,
    'a list of groups',
  ).default([]),
  accessWindows: reconciler,
  connections,
  tokenEvents,
  services: servicesSettings,
  hostedClusters: list(
    hostedCluster,
    'Hosted clusters of HyperShift whose control planes run on clusters of this file.',
    'a list of hosted clusters',
  ).default([]),
  certManager,
  serviceOperator,
  workloadIdentityWebhook,
  secretValues: record(
    secretName,
    field(z.string().min(1).max(25_000), {
      description: 'Value of a secret.',
      allowed: 'a string of 1 to 25,000 characters',
    }),
    'Values of secrets. A secret without one must be in its vault already.',
    'an object of secret strings by name',
  ).default({}),
  kubeconfigs: record(
    name('application', 'Name of a cluster.'),
    field(z.string().min(1).max(200_000), {
      description: 'A kubeconfig.',
      allowed: 'the text of a kubeconfig, up to 200,000 characters',
    }),
    'Kubeconfigs of the clusters of mode external, by name of the cluster.',
    'an object of secret strings by name',
  ).default({}),
  tags: tags('Tags of every resource that the stack creates in Azure.').default({}),
  revoked,
  policies,
  retainOnDelete: retainOnDelete('identities, vaults, secrets, clusters and log workspaces').default(true),
  protect: boolean(
    'Refuse every deletion of the resource group, the central vault and the log workspace, even an intended one.',
  ).default(false),
  imported: object('Names in Azure of imported resources; `aks-wi import` writes them.', {
    roleAssignments: record(
      nameInStack('Name of a role assignment in the stack.'),
      guidField('Name of a role assignment.'),
      'Names (GUIDs) of existing role assignments, by name in the stack.',
      'an object of GUIDs by name in the stack',
    ).default({}),
    federatedCredentials: record(
      nameInStack('Name of a federated credential in the stack.'),
      name('federatedIdentityCredential', 'Name of a federated credential.'),
      'Names of existing federated credentials, by name in the stack.',
      'an object of names by name in the stack',
    ).default({}),
  }).optional(),
});

/** A valid configuration, with defaults filled in and releases applied. */
export type StackSettings = Omit<z.output<typeof stackSchema>, 'applications'> & {
  applications: Exclude<z.output<typeof application>, { release: string }>[];
};
export type ClusterSettings = StackSettings['clusters'][number];
export type ApplicationSettings = StackSettings['applications'][number];
export type HostedClusterSettings = StackSettings['hostedClusters'][number];
export type GroupSettings = StackSettings['groups'][number];
export type DependencySettings = ApplicationSettings['dependencies'][number];

export type { ExistingGroupId, ExistingId } from './fields';
