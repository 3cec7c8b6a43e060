import { apiVersions } from '../../components/azure/resourceManager';
import { fieldsOf } from '../../components/resource/fields';
import { isBindingCredential } from '../../components/identity/bindingNames';
import { credentialName, maxCredentialsPerIdentity, subjectOf } from '../../components/identity/subjects';
import { firstFew } from '../../components/resource/firstFew';
import type { Configuration, IdentityPlan } from '../plan';
import { existingIdentities } from '../plan';
import type { ExistingIdentity } from '../plan/clusterIdentities';
import type { Problem } from '../settings/problem';
import type { ListInAzure } from './azureList';
import type { ManagedClusters } from './managedClusters';
import { isSame } from './same';
import type { Subscriptions } from '../subscriptions';

/** A federated credential that an identity has in Azure. */
interface FoundCredential {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
}

/**
 * Returns problems of existing federated credentials of existing identities. Azure allows 20 per identity, and one per issuer
 * and subject (entra-docs workload-identity-federation-considerations).
 * @param importing whether `aks-wi import` takes existing credentials into the stack, so that their existence is not a problem
 */
export async function trustProblems(
  configuration: Configuration,
  subscriptions: Subscriptions,
  clusters: ManagedClusters,
  list: ListInAzure,
  importing: boolean,
): Promise<Problem[]> {
  const { environment, cell, settings, plan } = configuration;
  const stack = cell?.stack ?? environment;
  const renamed = settings.imported?.federatedCredentials ?? {};

  async function problemsOf(trusting: ExistingIdentity): Promise<Problem[]> {
    const { existing, identity, cluster } = trusting;
    if (identity.subjects.length === 0 && identity.binding === undefined) return [];
    const listed = await list(
      { path: `${existing.id}/federatedIdentityCredentials`, apiVersion: apiVersions.identities },
      { provider: subscriptions.provider(existing.subscriptionId) },
    );
    if (listed === undefined) return [];
    const found = listed.flatMap(credentialOf);
    const issuer = await clusters.issuer(cluster);
    const problems: Problem[] = [];
    // AKS creates one credential for all bindings of an identity.
    let added =
      identity.binding === undefined || found.some((credential) => isBindingCredential(credential)) ? 0 : 1;
    for (const account of identity.subjects) {
      const stackName = credentialName(account);
      const name = renamed[`${identity.key}/${stackName}`] ?? stackName;
      const subject = subjectOf(account);
      if (found.some((other) => isSame(other.name, name))) continue;
      const taken = found.find((other) => other.issuer === issuer && other.subject === subject);
      if (taken === undefined) added += 1;
      else if (!importing)
        problems.push(takenProblem(stack, trusting, `${subject} of ${cluster.name}`, taken));
    }
    return [...problems, ...tooManyCredentials(trusting, found, added)];
  }

  const found = await Promise.all(existingIdentities(settings, plan.clusters).map(problemsOf));
  return found.flat();
}

function takenProblem(
  stack: string,
  { path, existing }: ExistingIdentity,
  account: string,
  { name }: FoundCredential,
): Problem {
  return {
    path,
    value: JSON.stringify(existing.id),
    what: `already trusts ${account} through the federated credential ${name}, and Azure allows only one for the same issuer and subject`,
    hint: `Import it with \`npx aks-wi import --stack ${stack}\`, and run the command again.`,
  };
}

/** @param added number of credentials that the stack would create */
function tooManyCredentials(
  identity: ExistingIdentity,
  found: readonly FoundCredential[],
  added: number,
): Problem[] {
  if (found.length + added <= maxCredentialsPerIdentity) return [];
  return [
    {
      path: identity.path,
      value: JSON.stringify(identity.existing.id),
      what: `has ${found.length} federated credentials (${firstFew(found.map(({ name }) => name))}) and would get ${added} more, but an identity can have at most ${maxCredentialsPerIdentity}`,
      hint: tooManyHint(identity, found),
    },
  ];
}

const fewerCredentials: Readonly<Record<IdentityPlan['scope'], string>> = {
  cluster:
    'set `shard: true`, or `identity: application` on some applications: these run as identities that the stack creates.',
  shard: 'set `identity: application` on some applications: these run as identities that the stack creates.',
  application: 'use another existing identity, or split it into two applications that share secrets.',
  operator: 'use another existing identity.',
};

function tooManyHint({ existing, identity }: ExistingIdentity, found: readonly FoundCredential[]): string {
  const { name, resourceGroupName, subscriptionId } = existing;
  const command = `az identity federated-credential delete --identity-name ${name} --resource-group ${resourceGroupName} --subscription ${subscriptionId} --name <name>`;
  const isMoving = identity.binding !== undefined || found.some((other) => isBindingCredential(other));
  const moving = isMoving
    ? ' The credential of AKS for identity bindings exists beside the others until the end of an update: to move between the two, leave one service account out until the next update.'
    : '';
  return `Delete unused ones (\`${command}\`), or ${fewerCredentials[identity.scope]}${moving}`;
}

function credentialOf({ name, properties }: Readonly<Record<string, unknown>>): FoundCredential[] {
  const { issuer, subject } = fieldsOf(properties);
  if (typeof name !== 'string' || typeof issuer !== 'string' || typeof subject !== 'string') return [];
  return [{ name, issuer, subject }];
}
