import { maxCredentialsPerIdentity } from '../../components/identity/subjects';
import { parseResourceId } from '../../components/azure/resourceId';
import { existingForAll, isOneForAll } from '../plan/existingIdentity';
import { createdIdentities, isBound, selects, serviceAccountNames, storedCredentialOf } from '../plan';
import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { Check, CheckInput, Placed, PlacedApplication } from './context';
import { inCase, repeated } from './context';
import { placedDependencies } from './dependencies';
import { unknownCluster } from './selections';

const tooMany = (accounts: number, also = '') =>
  `puts ${accounts} service accounts${also} under one identity, which can trust at most ${maxCredentialsPerIdentity}`;

const hints = {
  cluster: 'Set `shard: true`, or `identity: application` or `trust: identityBinding` on some of them.',
  shard: 'Set `identity: application` or `trust: identityBinding` on some of them.',
};

export const identityChecks: readonly Check[] = [
  /** Generations apply only to identities that the stack creates, and each number may appear once. */
  function* ({ clusters, applications, identity: ofEnvironment }) {
    const existing = {
      what: 'is only for identities that the stack creates, and this one exists already',
      hint: 'Remove it. To switch to another existing identity, name that one in `existing`.',
    };
    const shared = {
      what: "is only for an application with its own identity, and this one runs as its cluster's identity",
      hint: 'Set `identityGenerations` on the cluster, or `identity: application` here.',
    };
    const stored = {
      what: 'is only for identities that sign in with federation, and this one has a stored credential, which is renewed',
      hint: 'Remove it.',
    };
    const twice = {
      what: 'contains a generation twice',
      hint: 'Remove one of the two, or set the next number.',
    };
    const all = [
      ...clusters.map(({ identity, ...cluster }) => ({ ...cluster, other: identity && existing })),
      ...applications.map(({ identity = ofEnvironment, ...application }) => ({
        ...application,
        other:
          storedCredentialOf(identity) !== undefined
            ? stored
            : typeof identity === 'object'
              ? existing
              : identity === 'cluster'
                ? shared
                : undefined,
      })),
    ];
    for (const { path, identityGenerations: list, other } of all) {
      if (list === undefined) continue;
      const problem = other ?? (new Set(list).size < list.length ? twice : undefined);
      if (problem !== undefined)
        yield { path: [...path, 'identityGenerations'], value: JSON.stringify(list), ...problem };
    }
  },

  /** An application with existing identities needs one for each cluster that it runs on, and for no other. */
  function* (input) {
    for (const { path: at, identity, clusters, name } of input.applications) {
      if (typeof identity !== 'object' || !('existing' in identity) || isOneForAll(identity.existing))
        continue;
      const path = [...at, 'identity', 'existing'];
      const here = input.clusters.filter((cluster) => selects(clusters, cluster)).map(({ name }) => name);
      for (const cluster of Object.keys(identity.existing))
        if (input.clusters.every((other) => other.name !== cluster))
          yield unknownCluster([...path, cluster], cluster, input.clusters);
        else if (!here.includes(cluster))
          yield {
            path: [...path, cluster],
            what: `names a cluster that ${name} does not run on`,
            allowed: here.join(', ') || 'none: it runs on no cluster',
            hint: 'Remove it, or add the cluster to `clusters`.',
          };
      for (const cluster of here)
        if (!Object.hasOwn(identity.existing, cluster))
          yield {
            path: [...path, cluster],
            what: `is missing, and ${name} runs there`,
            allowed: 'an identity for each cluster of the application',
            hint: 'Add its resource id, or remove the cluster from `clusters`.',
          };
    }
  },

  /**
   * Azure refuses the 21st federated credential of an identity (entra-docs workload-identity-federation-considerations). This
   * check finds it before the first twenty are created.
   */
  function* ({ plan, applications }) {
    for (const { path, identities } of plan.clusters)
      for (const { scope, subjects, binding, applications: names } of identities) {
        // AKS creates one credential for all bindings of an identity.
        const all = subjects.length + (binding === undefined ? 0 : 1);
        // The operator's identity trusts one service account.
        if (scope === 'operator' || all <= maxCredentialsPerIdentity) continue;
        // An identity of its own does not help an application that has too many service accounts by itself.
        const alone = applications.filter(
          (application) =>
            !isBound(application) &&
            names.includes(application.name) &&
            serviceAccountNames(application).length > maxCredentialsPerIdentity,
        );
        for (const application of alone)
          yield {
            path: [...application.path, 'serviceAccounts'],
            what: tooMany(serviceAccountNames(application).length),
            hint: 'The application also has its own account: split it into two applications that share a namespace and secrets.',
          };
        const inShard = scope === 'shard' ? `: ${names.join(', ')}` : '';
        if (scope !== 'application' && alone.length === 0)
          yield {
            path: [...path, 'name'],
            what: `${tooMany(subjects.length, binding && ', and AKS with its identity bindings,')}${inShard}`,
            hint: hints[scope],
          };
      }
  },

  /** An identity that is a dependency trusts every service account of the application on each of its clusters. */
  function* (input) {
    for (const { application, service, path } of placedDependencies(input)) {
      if (service.kind !== 'identity') continue;
      const accounts = serviceAccountNames(application).length;
      const here = input.clusters.filter((cluster) => selects(application.clusters, cluster)).length;
      if (accounts * here > maxCredentialsPerIdentity)
        yield {
          path: [...path, 'identity'],
          what: `would trust ${accounts} service accounts on each of ${here} clusters, ${accounts * here} in total`,
          allowed: `up to ${maxCredentialsPerIdentity} in total`,
          hint: 'Split it into two applications, each with some of the `serviceAccounts` or `clusters` and its own identity.',
        };
    }
  },

  /**
   * An identity that trusts the service accounts of two clusters would get two credentials of the same name. Listed twice in
   * the stack, it would also have its credentials written concurrently, which Azure refuses.
   */
  function* (input) {
    const reported = new Set<string>();
    for (const { item, first } of repeated(existingIdentities(input), ({ id }) => id.toLowerCase())) {
      const { application } = item;
      if (application !== undefined && application.name === first.application?.name) {
        const isShared = existingForAll(application) !== undefined;
        if ((isShared && isBound(application)) || reported.has(application.name)) continue;
        reported.add(application.name);
        yield {
          path: item.path,
          what: isBound(application)
            ? 'is the identity of several clusters, each of which would grant its access'
            : 'is the identity of several clusters, whose service accounts need federated credentials of the same name',
          allowed: 'an identity for each cluster',
          hint: `${isBound(application) ? 'Set' : 'Set `trust: identityBinding` and'} \`existing: <resource id>\`, or name an identity for each cluster in \`existing\`.`,
        };
        continue;
      }
      yield {
        path: item.path,
        what: `is already the identity of ${formatPath(first.path)}${inCase(item.id, first.id)}`,
        allowed: 'each identity once in a stack',
        hint: 'Name another, or let the stack create one.',
      };
    }
  },

  (input) => createdForOthers(input, existingIdentities(input)),
];

/** An identity that the settings name by its resource id. */
type ExistingIdentity = Placed<{ readonly id: string; readonly application?: PlacedApplication }>;

/**
 * Yields identities that the stack creates for another purpose. An identity with two names in the stack has the access of both,
 * but each seems to have only its own.
 */
export function* createdForOthers(
  { plan, resourceGroup }: CheckInput,
  identities: readonly ExistingIdentity[],
): Generator<Problem> {
  const created = new Set(plan.clusters.flatMap(createdIdentities).map((name) => name.toLowerCase()));
  for (const { path, id } of identities) {
    const { resourceGroupName, name } = parseResourceId(id);
    if (resourceGroupName.toLowerCase() !== resourceGroup.name.toLowerCase()) continue;
    if (!created.has(name.toLowerCase())) continue;
    yield {
      path,
      what: 'is an identity that this stack creates for another purpose: both would share its access',
      allowed: 'an identity that the stack does not create',
      hint: 'Name another, or remove it to let the stack create one.',
    };
  }
}

/** Returns the existing identities that clusters, their operators and applications use. */
function existingIdentities({ clusters, applications }: CheckInput): ExistingIdentity[] {
  const ofClusters = clusters.flatMap(({ path, identity, operatorIdentity }) =>
    Object.entries({ identity, operatorIdentity }).flatMap(([key, setting]) =>
      typeof setting === 'object' && 'existing' in setting
        ? [{ path: [...path, key, 'existing'], id: setting.existing.id }]
        : [],
    ),
  );
  const ofApplications = applications.flatMap((application) => {
    const { path: at, identity } = application;
    if (typeof identity !== 'object' || !('existing' in identity)) return [];
    const path = [...at, 'identity', 'existing'];
    if (!isOneForAll(identity.existing))
      return Object.entries(identity.existing).map(([cluster, { id }]) => ({
        ...{ path: [...path, cluster], id, application },
      }));
    const { id } = identity.existing;
    return clusters
      .filter((cluster) => selects(application.clusters, cluster))
      .map(() => ({ path, id, application }));
  });
  return [...ofClusters, ...ofApplications];
}
