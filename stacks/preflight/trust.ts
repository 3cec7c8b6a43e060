import { fieldsOf } from '../../components/cluster/fields';
import {
  credentialName,
  maxCredentialsPerIdentity,
  serviceOperatorAccount,
  subjectOf,
  type ServiceAccountReference,
} from '../../components/identity/subjects';
import { firstFew } from '../../components/resource/firstFew';
import type { Configuration } from '../plan';
import type { Path, Problem } from '../settings/problem';
import type { ClusterSettings, ExistingId } from '../settings/schema';
import type { Subscriptions } from './subscriptions';
import type { IdentityPlan, NamedIdentityPlan } from '../plan';
import { existingIdentityPaths } from '../plan/existingResources';
import type { ListInAzure } from './azureList';
import type { ManagedClusters } from './managedClusters';

/** A federated credential that an identity has in Azure. */
interface FoundCredential {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
}

/** A credential that the stack would have on an existing identity. */
interface WantedCredential {
  /** Name in Azure. */
  readonly inAzure: string;
  readonly subject: string;
}

/** An existing identity, and whom the stack makes it trust. */
interface ExistingTrust {
  readonly path: Path;
  readonly existing: ExistingId;
  readonly scope: IdentityPlan['scope'] | 'operator';
  readonly cluster: ClusterSettings;
  readonly wanted: readonly WantedCredential[];
}

/**
 * Credentials of others on existing identities that stand in the way of the stack's own: Azure takes 20 on an identity,
 * and one for an issuer and a subject (entra-docs workload-identity-federation-considerations).
 * @param importing `aks-wi import` asks what would be made, to take in what is there: that something is there is no problem
 */
export async function trustProblems(
  configuration: Configuration,
  subscriptions: Subscriptions,
  clusters: ManagedClusters,
  list: ListInAzure,
  importing: boolean,
): Promise<Problem[]> {
  const found = await Promise.all(
    existingTrusts(configuration).map(async (trust) => {
      const found = await list(`${trust.existing.id}/federatedIdentityCredentials?api-version=2023-01-31`, {
        provider: subscriptions.provider(trust.existing.subscriptionId),
      });
      if (found === undefined) return [];
      const there = found.flatMap(credentialOf);
      const issuer = mayRepeat(trust, there) ? await clusters.issuer(trust.cluster) : undefined;
      const standing = trust.wanted.map((wanted) => ({ wanted, found: standingFor(wanted, there, issuer) }));
      const taken = standing.flatMap(({ wanted, found }) =>
        found === undefined || sameName(found.name, wanted.inAzure)
          ? []
          : [takenProblem(configuration.environment, trust, wanted, found)],
      );
      const added = standing.filter(({ found }) => found === undefined).length;
      return [...(importing ? [] : taken), ...tooMany(trust, there, added)];
    }),
  );
  return found.flat();
}

function existingTrusts({ settings, plan }: Configuration): ExistingTrust[] {
  const renamed = settings.imported?.federatedCredentials ?? {};
  const wanted = (key: string, subject: ServiceAccountReference): WantedCredential => {
    const name = credentialName(subject);
    return { inAzure: renamed[`${key}/${name}`] ?? name, subject: subjectOf(subject) };
  };
  return plan.clusters.flatMap((cluster, index) => {
    const paths = new Map(
      existingIdentityPaths(settings, cluster, index).map(({ existing, path }) => [existing.id, path]),
    );
    const trust = (
      identity: NamedIdentityPlan | undefined,
      scope: ExistingTrust['scope'],
      subjects: readonly ServiceAccountReference[],
    ): ExistingTrust[] => {
      if (identity?.existing === undefined) return [];
      const { key, existing } = identity;
      const path = paths.get(existing.id);
      if (path === undefined || subjects.length === 0) return [];
      return [
        {
          ...{ path, existing, scope, cluster: cluster.settings },
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

function mayRepeat({ wanted }: ExistingTrust, there: readonly FoundCredential[]): boolean {
  return there.some(({ name, subject }) =>
    wanted.some((one) => one.subject === subject && !sameName(one.inAzure, name)),
  );
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
  { path, existing, cluster }: ExistingTrust,
  { subject }: WantedCredential,
  { name }: FoundCredential,
): Problem {
  return {
    path,
    value: JSON.stringify(existing.id),
    what: `trusts ${subject} of ${cluster.name} already, by the federated credential ${name}, and Azure allows no second one for an issuer and a subject`,
    remedy: `Take it into the stack with \`npx aks-wi import --stack ${environment}\`, and run the command again.`,
  };
}

/** @param added how many the stack would make */
function tooMany(trust: ExistingTrust, there: readonly FoundCredential[], added: number): Problem[] {
  if (there.length + added <= maxCredentialsPerIdentity) return [];
  const { path, existing } = trust;
  return [
    {
      path,
      value: JSON.stringify(existing.id),
      what: `has ${there.length} federated credentials (${firstFew(there.map(({ name }) => name))}) and would get ${added} more, and an identity trusts at most ${maxCredentialsPerIdentity}`,
      remedy: remedyOf(trust),
    },
  ];
}

/** Shards are identities that are made: an existing one is never spread over others. */
function remedyOf({ scope, existing }: ExistingTrust): string {
  const { name, resourceGroupName, subscriptionId } = existing;
  const command = `az identity federated-credential delete --identity-name ${name} --resource-group ${resourceGroupName} --subscription ${subscriptionId} --name <name>`;
  const free = `Delete those that nobody needs (\`${command}\`)`;
  switch (scope) {
    case 'cluster':
    case 'shard':
      return `${free}, or set \`shard: true\`, or \`identity: application\` on some applications: these run as identities that are made.`;
    case 'application':
      return `${free}, or use another existing identity, or make two applications of it, with secrets in common.`;
    case 'operator':
      return `${free}, or use another existing identity.`;
  }
}

function credentialOf({ name, properties }: Readonly<Record<string, unknown>>): FoundCredential[] {
  const { issuer, subject } = fieldsOf(properties);
  if (typeof name !== 'string' || typeof issuer !== 'string' || typeof subject !== 'string') return [];
  return [{ name, issuer, subject }];
}

/** Azure compares names without regard to case. */
function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
