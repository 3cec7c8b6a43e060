import { allows } from '../../components/azure/permission';
import { allPages, apiVersions, listUrl, resourceUrl } from '../../components/azure/resourceManager';
import { dependencyKinds } from '../../components/dependency/service';
import { identityBindingType } from '../../components/identity/bindingNames';
import { fieldsOf, textOf } from '../../components/resource/fields';
import type { DeployedOutputs } from '../stackOutputs';
import { UserError } from '../userError';
import { actionsOf, roleFor } from './actions';
import { checked, type Finding, type Warning } from './finding';
import { assignments, clusters, credentials, vCpus, type NewClusters } from './quotas';
import { listed, notChecked, type SubscriptionAccess } from './subscriptionAccess';

/** A stack that is checked besides the resource providers. */
export interface Deployment {
  /** Name of the resource group of the stack. */
  readonly resourceGroup: string;
  /** Outputs of the stack; undefined if it is not deployed yet. */
  readonly outputs?: DeployedOutputs | undefined;
  /** Types of the resources that it has, and of those that its stack file adds; empty if unknown. */
  readonly types: readonly string[];
  /** Clusters that the next update creates; undefined if there are none, or if the stack file is not valid. */
  readonly creates?: NewClusters | undefined;
}

/** Checks what a deployment needs of a subscription. @param deployment Default: only the providers are checked */
export function subscriptionFindings(
  id: string,
  access: SubscriptionAccess,
  deployment?: Deployment,
): Promise<Finding[]> {
  const { outputs, creates, types = [] } = deployment ?? {};
  const path = `/subscriptions/${id}`;
  return Promise.all([
    checked('resource providers', () =>
      requireRegistered(path, access, neededProviders(types.length > 0 ? types : usualTypes)),
    ),
    ...(deployment === undefined || types.length === 0
      ? []
      : [checked('rights to deploy', () => rights(path, access, deployment))]),
    ...(outputs === undefined
      ? []
      : [
          checked('quota of role assignments', () => assignments(path, access)),
          checked('quota of federated credentials', () => credentials(outputs, access)),
        ]),
    ...(creates === undefined
      ? []
      : [
          checked('quota of clusters', () => unreadCell(outputs) ?? clusters(path, access, creates)),
          checked('quota of vCPUs', () => unreadCell(outputs) ?? vCpus(path, access, creates)),
        ]),
    ...(types.includes(identityBindingType)
      ? subscriptionsOfBindings(path, outputs).map((one) =>
          checked('feature of identity bindings', () => bindingFeature(one, access)),
        )
      : []),
  ]);
}

/** Returns the warning that it is unknown which clusters are to create; undefined if all cells are read. */
function unreadCell(outputs: DeployedOutputs | undefined): Promise<Warning> | undefined {
  if (outputs?.isIncomplete !== true) return undefined;
  return Promise.resolve({
    detail: 'not checked: a cell cannot be read, so the clusters to create are unknown',
    hint: 'Run the command again when all cells can be read.',
  });
}

/** Types of a usual stack, whose providers are checked as long as no stack is known. */
const usualTypes = [
  'azure-native:managedidentity:UserAssignedIdentity',
  'azure-native:keyvault:Vault',
  'azure-native:containerservice:ManagedCluster',
];

/** Returns the resource providers of resources of these types, and of the services that the operator provisions by them. */
export function neededProviders(tokens: readonly string[]): string[] {
  const ofServices = Object.values(dependencyKinds).flatMap(({ type, customResources }) =>
    customResources.some((kind) => tokens.includes(`kubernetes:${kind.replace('/', ':')}`))
      ? (type ?? [])
      : [],
  );
  const namespaces = [...actionsOf(tokens), ...ofServices].map((type) => type.replace(/\/.*/, ''));
  return [...new Set(namespaces)].sort();
}

/** @throws UserError if a resource provider is not registered */
export async function requireRegistered(
  path: string,
  { manager }: Pick<SubscriptionAccess, 'manager'>,
  needed: readonly string[],
): Promise<string> {
  const url = listUrl(manager.endpoint, { path: `${path}/providers`, apiVersion: apiVersions.resources });
  const states = new Map(
    (await allPages(url, manager.read)).map(({ namespace, registrationState }) => [
      String(namespace).toLowerCase(),
      String(registrationState),
    ]),
  );
  const missing = needed.filter((name) => states.get(name.toLowerCase()) !== 'Registered');
  if (missing.length === 0) return needed.join(', ') || 'none is needed';
  throw new UserError(
    missing.map((name) => `${name} is ${states.get(name.toLowerCase()) ?? 'unknown'}`).join(', '),
    missing.map((name) => `\`az provider register --namespace ${name}\``).join(', '),
  );
}

/** A missing right is a warning: usually, only the pipeline may deploy. */
async function rights(
  subscription: string,
  access: SubscriptionAccess,
  { resourceGroup, outputs, types }: Deployment,
): Promise<string | Warning> {
  const path = `${subscription}/resourceGroups/${resourceGroup}/providers/Microsoft.Authorization/permissions`;
  const permissions = await listed(access, { path, apiVersion: apiVersions.permissions });
  if (permissions === undefined) {
    const detail = `Azure has no resource group ${resourceGroup}`;
    if (outputs !== undefined) throw new UserError(detail, '`pulumi up --refresh` creates it again.');
    // Azure lists the rights of an account only on groups and resources.
    const hint =
      'The first deployment creates the group. The deploying account needs the roles listed in docs/azure.md on the subscription.';
    return { detail: `${detail} yet, so the rights are unknown`, hint };
  }
  const missing = actionsOf(types).filter(
    (action) => !permissions.some((permission) => allows(fieldsOf(permission), action)),
  );
  if (missing.length === 0) return 'this account may deploy, if no condition of its roles refuses a grant';
  const roles = [...new Set(missing.map(roleFor))].sort().join(' and ');
  return {
    detail: `this account lacks ${missing.join(', ')}`,
    hint: `To deploy with it, assign ${roles} on the resource group (docs/azure.md); a pipeline needs them instead (docs/threat-model.md).`,
  };
}

const feature = 'IdentityBindingPreview';

/** A feature that is not registered is a warning: Azure needs it only as long as identity bindings are a preview. */
async function bindingFeature(path: string, { manager }: SubscriptionAccess): Promise<string | Warning> {
  const id = `${path}/providers/Microsoft.Features/providers/Microsoft.ContainerService/features/${feature}`;
  const answer = await manager.read(resourceUrl(manager.endpoint, id, apiVersions.features));
  if (answer === undefined) return notChecked(`the feature ${feature}`);
  const state = textOf(fieldsOf(fieldsOf(answer).properties).state);
  return state === 'Registered'
    ? feature
    : {
        detail: `${feature} is ${state}, so Azure may refuse identity bindings`,
        hint: `\`az feature register --namespace Microsoft.ContainerService --name ${feature}\` (docs/identity-bindings.md)`,
      };
}

/** Returns the subscriptions of the clusters with bindings; the deployment's, if they are not deployed. */
function subscriptionsOfBindings(path: string, outputs: DeployedOutputs | undefined): string[] {
  const { workloads = [], clusters = {} } = outputs ?? {};
  const bound = workloads.filter(({ trust }) => trust === 'identityBinding');
  const found = bound.flatMap(
    ({ cluster }) => /^\/subscriptions\/[^/]+/i.exec(clusters[cluster]?.id ?? '') ?? [],
  );
  return found.length === 0 ? [path] : [...new Set(found.map((one) => one.toLowerCase()))];
}
