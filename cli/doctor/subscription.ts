import { allows } from '../../components/azure/permission';
import { isInScope } from '../../components/azure/resourceId';
import { allPages, apiVersions, listUrl } from '../../components/azure/resourceManager';
import { fieldsOf } from '../../components/resource/fields';
import type { AzureLists } from '../../verification/access';
import { isInEntra } from '../../verification/removal';
import type { ReadService } from '../azureReader';
import { quotas } from '../fleet/limits';
import type { DeployedOutputs } from '../stackOutputs';
import { UserError } from '../userError';
import { checked, type Finding } from './finding';

/** Azure as the checks of a subscription see it. */
export interface SubscriptionAccess {
  readonly manager: Pick<ReadService, 'endpoint' | 'read'>;
  readonly lists: Pick<AzureLists, 'listAssignments' | 'listCredentials'>;
}

/** A stack that is checked besides the resource providers. */
export interface Deployment {
  /** Name of the resource group of the stack. */
  readonly resourceGroup: string;
  /** Outputs of the stack; undefined if it is not deployed yet. */
  readonly outputs?: DeployedOutputs;
}

/** Checks what a deployment needs of a subscription. @param deployment Default: only the providers are checked */
export function subscriptionFindings(
  id: string,
  access: SubscriptionAccess,
  deployment?: Deployment,
): Promise<Finding[]> {
  const { outputs } = deployment ?? {};
  const path = `/subscriptions/${id}`;
  return Promise.all([
    checked('resource providers', () => requireRegistered(path, access, neededProviders(outputs))),
    ...(deployment === undefined
      ? []
      : [checked('rights to deploy', () => rights(path, access, deployment))]),
    ...(outputs === undefined
      ? []
      : [
          checked('quota of role assignments', () => assignments(path, access)),
          checked('quota of federated credentials', () => credentials(outputs, access)),
        ]),
  ]);
}

/** Providers of the services that applications depend on, by kind. */
const providersOfKind: Readonly<Record<string, string>> = {
  storageAccount: 'Microsoft.Storage',
  postgresql: 'Microsoft.DBforPostgreSQL',
  redis: 'Microsoft.Cache',
  serviceBus: 'Microsoft.ServiceBus',
};

/** Returns the resource providers that a stack needs; without outputs, one with AKS. */
export function neededProviders(outputs: DeployedOutputs | undefined): string[] {
  const { dependencies = [], logWorkspace, clusters = {} } = outputs ?? {};
  const hasAks = outputs === undefined || Object.values(clusters).some(({ mode }) => mode !== 'external');
  const all = [
    ...['Microsoft.ManagedIdentity', 'Microsoft.KeyVault'],
    ...(hasAks ? ['Microsoft.ContainerService'] : []),
    ...(logWorkspace === undefined ? [] : ['Microsoft.OperationalInsights']),
    ...dependencies.flatMap(({ kind }) => providersOfKind[kind] ?? []),
  ];
  return [...new Set(all)];
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
  if (missing.length === 0) return needed.join(', ');
  throw new UserError(
    missing.map((name) => `${name} is ${states.get(name.toLowerCase()) ?? 'unknown'}`).join(', '),
    missing.map((name) => `\`az provider register --namespace ${name}\``).join(', '),
  );
}

/** An action that a deployment needs, and the role that usually has it (docs/azure.md, docs/threat-model.md). */
const actions = (
  outputs: DeployedOutputs | undefined,
): readonly (readonly [action: string, role: string])[] => {
  const assigns =
    outputs === undefined || Object.values(outputs.vaults).some(({ access }) => access === 'rbac');
  return [
    ['Microsoft.ManagedIdentity/userAssignedIdentities/write', 'Contributor'],
    ['Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/write', 'Contributor'],
    ['Microsoft.KeyVault/vaults/write', 'Contributor'],
    ['Microsoft.KeyVault/vaults/secrets/write', 'Contributor'],
    ['Microsoft.ContainerService/managedClusters/write', 'Contributor'],
    ...(assigns
      ? [
          [
            'Microsoft.Authorization/roleAssignments/write',
            'Role Based Access Control Administrator',
          ] as const,
        ]
      : []),
  ];
};

/** A missing right is a warning: usually, only the pipeline may deploy. */
async function rights(
  subscription: string,
  { manager }: SubscriptionAccess,
  { resourceGroup, outputs }: Deployment,
) {
  const path = `${subscription}/resourceGroups/${resourceGroup}/providers/Microsoft.Authorization/permissions`;
  const url = listUrl(manager.endpoint, { path, apiVersion: apiVersions.permissions });
  const answers: unknown[] = [];
  const permissions = await allPages(url, async (page) => {
    const answer = await manager.read(page);
    answers.push(answer);
    return answer;
  });
  if (answers.includes(undefined)) {
    const detail = `Azure has no resource group ${resourceGroup}`;
    if (outputs !== undefined) throw new UserError(detail, '`pulumi up --refresh` creates it again.');
    // Azure lists the rights of an account only on groups and resources.
    const hint =
      'The first deployment creates the group. The deploying account needs the roles listed in docs/azure.md on the subscription.';
    return { detail: `${detail} yet, so the rights are unknown`, hint };
  }
  const missing = actions(outputs).filter(
    ([action]) => !permissions.some((permission) => allows(fieldsOf(permission), action)),
  );
  if (missing.length === 0) return 'this account may deploy, if no condition of its roles refuses a grant';
  const roles = [...new Set(missing.map(([, role]) => role))].join(' and ');
  return {
    detail: `this account lacks ${missing.map(([action]) => action).join(', ')}`,
    hint: `To deploy with it, assign ${roles} on the resource group (docs/azure.md); a pipeline needs them instead (docs/threat-model.md).`,
  };
}

/** Part of a quota from which it is a warning. */
const nearlyUsed = 0.9;

const quotaOf = (name: string) => {
  const quota = quotas.find((known) => known.name === name);
  if (quota === undefined) throw new Error(`there is no quota ${name}`);
  return quota;
};

async function assignments(path: string, { lists }: SubscriptionAccess) {
  const { most, hint } = quotaOf('role-assignments');
  const all = await lists.listAssignments(path);
  const count = all.filter(({ scope }) => isInScope(scope, path)).length;
  return judged(`${count} of ${most} in the subscription`, count, most, hint);
}

async function credentials({ identities }: DeployedOutputs, { lists }: SubscriptionAccess) {
  const { most, hint } = quotaOf('credentials');
  const counted = await Promise.all(
    identities
      .filter(({ id }) => !isInEntra(id))
      .map(async ({ name, id }) => ({ name, count: (await lists.listCredentials(id)).length })),
  );
  const fullest = counted.sort((one, other) => other.count - one.count)[0] ?? { name: 'none', count: 0 };
  return judged(
    `${fullest.count} of ${most} of the identity with the most, ${fullest.name}`,
    fullest.count,
    most,
    hint,
  );
}

function judged(detail: string, count: number, most: number, hint: string) {
  if (count >= most) throw new UserError(detail, hint);
  return count >= most * nearlyUsed ? { detail, hint } : detail;
}
