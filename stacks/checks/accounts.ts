import { serviceAccountNames, accountOf, usesExistingNamespace, usesExistingServiceAccount } from '../plan';
import { formatPath } from '../settings/problem';
import { reservedNamespaces } from '../settings/schema/applications';
import type { Check, PlacedApplication } from './context';
import { disagreement, neighbours } from './context';

export const accountChecks: readonly Check[] = [
  function* ({ applications }) {
    for (const application of applications) {
      const { namespace } = accountOf(application);
      if (!reservedNamespaces.includes(namespace) && !namespace.startsWith('kube-')) continue;
      yield {
        path: [...application.path, application.namespace === undefined ? 'name' : 'namespace'],
        value: JSON.stringify(namespace),
        what: 'is reserved and not available to applications',
        allowed: `any but kube-*, ${reservedNamespaces.join(', ')}`,
        hint: 'Set another `namespace`.',
      };
    }
  },

  /** Applications that share a namespace must agree on whether it exists or the stack creates it. */
  function* (input) {
    const used = (application: PlacedApplication) => ({
      path: application.path,
      existing: usesExistingNamespace(application),
    });
    for (const { application, other, namespace, cluster } of neighbours(input)) {
      const [here, there] = [used(application), used(other)];
      if (here.existing !== there.existing)
        yield disagreement(namespace, here, there, cluster, `\`namespace: ${namespace}\``);
    }
  },

  /** A pod can use any service account of its namespace, so applications that share one are not isolated from each other. */
  function* (input) {
    const reported = new Set<PlacedApplication>();
    for (const { application, other, namespace, cluster } of neighbours(input))
      for (const [sharer, neighbour] of [
        [other, application],
        [application, other],
      ] as const) {
        if (reported.has(sharer) || sharer.sharedNamespace !== undefined) continue;
        reported.add(sharer);
        yield {
          path: [...sharer.path, 'sharedNamespace'],
          what: `is missing: ${formatPath(neighbour.path)} is also in the namespace "${namespace}" on ${cluster}, and anyone who may create pods there can use the service accounts of both, and so their identities`,
          allowed: 'accepted',
          hint: 'Give each application its own `namespace`. If the same people may use both identities, add `sharedNamespace: accepted` to both.',
        };
      }
  },

  function* (input) {
    const sharing = new Set([...neighbours(input)].flatMap(({ application, other }) => [application, other]));
    for (const application of input.applications)
      if (application.sharedNamespace !== undefined && !sharing.has(application))
        yield {
          path: [...application.path, 'sharedNamespace'],
          what: 'has no effect: no other application of the stack uses this namespace on the same clusters',
          hint: 'Remove it.',
        };
  },

  /** Checks which service accounts can exist already and which the stack can create. */
  function* ({ applications }) {
    const defaultAccount = {
      value: JSON.stringify('default'),
      what: 'is created by Kubernetes in every namespace',
      hint: 'Set `serviceAccount: { name: default, existing: true }`, or choose another name.',
    };
    for (const application of applications) {
      const { namespace, serviceAccount } = accountOf(application);
      const existing = usesExistingServiceAccount(application);
      const path = [...application.path, 'serviceAccount'];
      if (existing && !usesExistingNamespace(application))
        yield {
          path,
          value: JSON.stringify(serviceAccount),
          what: `is marked as existing, but the stack creates the namespace "${namespace}", which has no service accounts yet`,
          hint: `Write \`namespace: { name: ${namespace}, existing: true }\` if the namespace exists too, or remove \`existing\` here.`,
        };
      if (!existing && serviceAccount === 'default') yield { path, ...defaultAccount };
      for (const [place, account] of application.serviceAccounts.entries()) {
        const further = [...application.path, 'serviceAccounts', place];
        if (account === 'default') yield { path: further, ...defaultAccount };
        if (account === serviceAccount)
          yield {
            path: further,
            what: 'is already the service account of the application',
            hint: 'Remove it: this list is for further service accounts.',
          };
      }
    }
  },

  /** A service account has one identity, so two applications cannot share one. */
  function* (input) {
    for (const { application, other, namespace, cluster } of neighbours(input)) {
      const [own, ...further] = serviceAccountNames(other);
      for (const [place, account] of serviceAccountNames(application).entries())
        if (account === own || further.includes(account))
          yield {
            path: [
              ...application.path,
              ...(place === 0 ? ['serviceAccount'] : ['serviceAccounts', place - 1]),
            ],
            value: JSON.stringify(`${namespace}/${account}`),
            what: `is already ${account === own ? 'the' : 'a'} service account of ${formatPath(other.path)} on ${cluster}`,
            hint: 'Set another `serviceAccount` or `namespace`.',
          };
    }
  },
];
