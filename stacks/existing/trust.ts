import { getManagedCluster } from '@pulumi/azure-native/containerservice';
import { identityType, parseResourceId, tryParseResourceId } from '../../components/azure/resourceId';
import { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import {
  credentialName,
  maxCredentialsPerIdentity,
  serviceOperatorAccount,
  subjectOf,
  type ServiceAccountReference,
} from '../../components/identity/subjects';
import { firstFew } from '../../components/resource/firstFew';
import type { Configuration } from '../configuration/configuration';
import type { Path, Problem } from '../configuration/problem';
import type { ClusterSettings } from '../configuration/schema';
import type { Subscriptions } from '../environment/subscriptions';
import type { OwnState } from '../keeping/ownState';
import type { IdentityPlan, NamedIdentityPlan } from '../plan';
import { adoptedIdentityPaths } from './adopted';
import type { FoundCredential, ListCredentials } from './listCredentials';

const credentialToken = 'azure-native:managedidentity:FederatedIdentityCredential';

/** A credential that the stack would have on an adopted identity. */
interface WantedCredential {
  /** Name in the stack. */
  readonly inStack: string;
  /** Name in Azure. */
  readonly inAzure: string;
  readonly subject: string;
}

/** An adopted identity, and whom the stack makes it trust. */
interface AdoptedTrust {
  readonly path: Path;
  readonly id: string;
  readonly scope: IdentityPlan['scope'] | 'operator';
  readonly cluster: ClusterSettings;
  readonly wanted: readonly WantedCredential[];
}

/**
 * Credentials of others on adopted identities that stand in the way of the stack's own: Azure takes 20 on an identity,
 * and one for an issuer and a subject (entra-docs workload-identity-federation-considerations).
 * @param adopting `aks-wi adopt` asks what would be made, to take in what is there: that something is there is no problem
 */
export async function trustProblems(
  configuration: Configuration,
  { subscriptions, state }: { readonly subscriptions: Subscriptions; readonly state: OwnState },
  list: ListCredentials,
  adopting: boolean,
): Promise<Problem[]> {
  const found = await Promise.all(
    adoptedTrusts(configuration).map(async (trust) => {
      const there = await list(trust.id, {
        provider: subscriptions.provider(parseResourceId(trust.id, identityType).subscriptionId),
      });
      if (there === undefined) return [];
      const issuer = mayRepeat(trust, there)
        ? await issuerOf(trust.cluster, subscriptions, state)
        : undefined;
      const standing = trust.wanted.map((wanted) => ({ wanted, found: standingFor(wanted, there, issuer) }));
      const taken = standing.flatMap(({ wanted, found }) =>
        found === undefined || state.find(credentialToken, wanted.inStack) !== undefined
          ? []
          : [takenProblem(configuration.environment, trust, wanted, found)],
      );
      const added = standing.filter(({ found }) => found === undefined).length;
      return [...(adopting ? [] : taken), ...tooMany(trust, there, added)];
    }),
  );
  return found.flat();
}

function adoptedTrusts({ settings, plan }: Configuration): AdoptedTrust[] {
  const renamed = settings.adopted?.federatedCredentials ?? {};
  const wanted = (key: string, subject: ServiceAccountReference): WantedCredential => {
    const name = credentialName(subject);
    const inStack = `${key}/${name}`;
    return { inStack, inAzure: renamed[inStack] ?? name, subject: subjectOf(subject) };
  };
  return plan.clusters.flatMap((cluster, index) => {
    const paths = new Map(adoptedIdentityPaths(settings, cluster, index).map(({ id, path }) => [id, path]));
    const trust = (
      identity: NamedIdentityPlan | undefined,
      scope: AdoptedTrust['scope'],
      subjects: readonly ServiceAccountReference[],
    ): AdoptedTrust[] => {
      if (identity?.adopt === undefined) return [];
      const { key, adopt } = identity;
      const path = paths.get(adopt);
      if (path === undefined || subjects.length === 0) return [];
      return [
        {
          ...{ path, id: adopt, scope, cluster: cluster.settings },
          wanted: subjects.map((subject) => wanted(key, subject)),
        },
      ];
    };
    return [
      ...cluster.identities.flatMap((identity) => trust(identity, identity.scope, identity.subjects)),
      ...trust(cluster.operator, 'operator', [serviceOperatorAccount]),
    ];
  });
}

function mayRepeat({ wanted }: AdoptedTrust, there: readonly FoundCredential[]): boolean {
  return there.some(({ name, subject }) =>
    wanted.some((one) => one.subject === subject && !sameName(one.inAzure, name)),
  );
}

/** Issuer of the cluster, as far as there is one: nobody trusts a cluster yet that is still to be made. */
async function issuerOf(
  { name, mode, id = '', issuer }: ClusterSettings,
  subscriptions: Subscriptions,
  state: OwnState,
): Promise<string | undefined> {
  if (mode === 'external') return issuer;
  if (mode === 'create') return state.text(WorkloadIdentityCluster.token, name, 'issuerUrl');
  const target = tryParseResourceId(id);
  if (target === undefined) return undefined;
  const { resourceGroupName, name: resourceName } = target;
  const opts = { provider: subscriptions.provider(target.subscriptionId) };
  try {
    return (await getManagedCluster({ resourceGroupName, resourceName }, opts)).oidcIssuerProfile?.issuerURL;
  } catch {
    // That it cannot be read is told where it is named.
    return undefined;
  }
}

/** What there is under the name, or for the issuer and the subject, of a credential of the stack. */
function standingFor(
  { inAzure, subject }: WantedCredential,
  there: readonly FoundCredential[],
  issuer: string | undefined,
): FoundCredential | undefined {
  return (
    there.find(({ name }) => sameName(name, inAzure)) ??
    there.find((other) => other.issuer === issuer && other.subject === subject)
  );
}

function takenProblem(
  environment: string,
  { path, id, cluster }: AdoptedTrust,
  { inAzure, subject }: WantedCredential,
  { name }: FoundCredential,
): Problem {
  return {
    path,
    value: JSON.stringify(id),
    what: sameName(name, inAzure)
      ? `has a federated credential ${name} already, which is not in the stack`
      : `trusts ${subject} of ${cluster.name} already, by the federated credential ${name}, and Azure allows no second one for an issuer and a subject`,
    remedy: `Take it into the stack with \`npx aks-wi adopt --stack ${environment}\`, and run the command again.`,
  };
}

/** @param added how many the stack would make */
function tooMany(trust: AdoptedTrust, there: readonly FoundCredential[], added: number): Problem[] {
  if (there.length + added <= maxCredentialsPerIdentity) return [];
  const { path, id } = trust;
  return [
    {
      path,
      value: JSON.stringify(id),
      what: `has ${there.length} federated credentials (${firstFew(there.map(({ name }) => name))}) and would get ${added} more, and an identity trusts at most ${maxCredentialsPerIdentity}`,
      remedy: remedyOf(trust),
    },
  ];
}

/** Shards are identities that are made: an adopted one is never spread over others. */
function remedyOf({ scope, id }: AdoptedTrust): string {
  const { name = '', resourceGroupName = '', subscriptionId = '' } = tryParseResourceId(id) ?? {};
  const command = `az identity federated-credential delete --identity-name ${name} --resource-group ${resourceGroupName} --subscription ${subscriptionId} --name <name>`;
  const free = `Delete those that nobody needs (\`${command}\`)`;
  switch (scope) {
    case 'cluster':
    case 'shard':
      return `${free}, or set \`shard: true\`, or \`identity: application\` on some applications: these run as identities that are made.`;
    case 'application':
      return `${free}, or adopt another identity, or make two applications of it, with secrets in common.`;
    case 'operator':
      return `${free}, or adopt another identity.`;
  }
}

/** Azure compares names without regard to case. */
function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
