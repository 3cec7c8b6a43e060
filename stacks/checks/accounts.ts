import { serviceOperatorAccount, workloadIdentityWebhookNamespace } from '../../components/identity/subjects';
import { accountNames, accountOf, selects, usesExistingNamespace, usesExistingServiceAccount } from '../plan';
import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { ApplicationSettings } from '../settings/schema';
import type { Given } from './context';
import { check } from './context';

/** Namespaces of the cluster itself, and of what the stack installs beside the applications. */
function isReserved(namespace: string): boolean {
  return (
    namespace === 'default' ||
    namespace.startsWith('kube-') ||
    namespace === 'cert-manager' ||
    namespace === serviceOperatorAccount.namespace ||
    namespace === workloadIdentityWebhookNamespace
  );
}

export const reservedNamespaces = check([], ({ applications }, { applicationPath }) =>
  applications.flatMap((application, index) =>
    isReserved(accountOf(application).namespace)
      ? [
          {
            path: [...applicationPath(index), application.namespace === undefined ? 'name' : 'namespace'],
            value: JSON.stringify(accountOf(application).namespace),
            what: 'is a namespace that is not for applications',
            allowed: `any but default, kube-*, cert-manager, ${serviceOperatorAccount.namespace}, ${workloadIdentityWebhookNamespace}`,
            remedy: 'Set another `namespace`.',
          },
        ]
      : [],
  ),
);

/** An application on a cluster, with its place in the settings. */
interface Placed {
  readonly application: ApplicationSettings;
  readonly index: number;
}

/** Problems of applications that share a cluster, each application's first: on the next cluster it is the same again. */
function onSharedClusters(
  { clusters, applications }: Given,
  problemOf: (one: Placed, others: readonly Placed[], cluster: string) => Problem | undefined,
): Problem[] {
  const placed = applications.map((application, index) => ({ application, index }));
  return placed.flatMap((one, place) => {
    for (const cluster of clusters) {
      const isHere = ({ application }: Placed) => selects(application.clusters, cluster);
      // Applications that repeat a name are reported as that.
      const others = placed
        .slice(0, place)
        .filter((other) => isHere(other) && other.application.name !== one.application.name);
      const problem = isHere(one) ? problemOf(one, others, cluster.name) : undefined;
      if (problem !== undefined) return [problem];
    }
    return [];
  });
}

/** A namespace is there or is made: applications that share one must agree. */
export const sharedNamespaces = check([], (given, { applicationPath }) =>
  onSharedClusters(given, ({ application, index }, others, cluster) => {
    const { namespace } = accountOf(application);
    const how = (one: ApplicationSettings) => (usesExistingNamespace(one) ? 'existing' : 'made');
    const other = others.find(
      (one) =>
        accountOf(one.application).namespace === namespace && how(one.application) !== how(application),
    );
    if (other === undefined) return undefined;
    return {
      path: [...applicationPath(index), 'namespace'],
      value: JSON.stringify(namespace),
      what: `is ${how(application)} here and ${how(other.application)} by ${formatPath(applicationPath(other.index))} on ${cluster}`,
      allowed: 'the same `existing` wherever a namespace is named',
      remedy: `Write \`namespace: { name: ${namespace}, existing: true }\` in both if it exists, \`namespace: ${namespace}\` if it is to be made.`,
    };
  }),
);

/** Which service accounts can exist, and which can be made. */
export const serviceAccounts = check([], ({ applications }, { applicationPath }) =>
  applications.flatMap((application, index): Problem[] => {
    const path = applicationPath(index);
    const { namespace, serviceAccount } = accountOf(application);
    const existing = usesExistingServiceAccount(application);
    const madeDefault = {
      value: JSON.stringify('default'),
      what: 'is made by Kubernetes in every namespace',
      remedy: 'Set `serviceAccount: { name: default, existing: true }`, or another name.',
    };
    return [
      ...(existing && !usesExistingNamespace(application)
        ? [
            {
              path: [...path, 'serviceAccount'],
              value: JSON.stringify(serviceAccount),
              what: `is named as existing in the namespace "${namespace}", which is made here and has none yet`,
              remedy: `Write \`namespace: { name: ${namespace}, existing: true }\` if the namespace exists too, or remove \`existing\` here.`,
            },
          ]
        : []),
      ...(!existing && serviceAccount === 'default'
        ? [{ path: [...path, 'serviceAccount'], ...madeDefault }]
        : []),
      ...application.serviceAccounts.flatMap((account, place): Problem[] =>
        account === 'default' ? [{ path: [...path, 'serviceAccounts', place], ...madeDefault }] : [],
      ),
      ...application.serviceAccounts.flatMap((account, place): Problem[] =>
        account === serviceAccount
          ? [
              {
                path: [...path, 'serviceAccounts', place],
                value: JSON.stringify(account),
                what: 'is the service account of the application already',
                remedy: 'Remove it: these are further ones.',
              },
            ]
          : [],
      ),
    ];
  }),
);

/** A service account has one identity: two applications under one would take it from each other. */
export const uniqueServiceAccounts = check([], (given, { applicationPath }) =>
  onSharedClusters(given, ({ application, index }, others, cluster) => {
    const { namespace } = accountOf(application);
    for (const [place, account] of accountNames(application).entries()) {
      const other = others.find(
        (one) =>
          accountOf(one.application).namespace === namespace &&
          accountNames(one.application).includes(account),
      );
      if (other === undefined) continue;
      const isFirst = accountOf(other.application).serviceAccount === account;
      return {
        path: [
          ...applicationPath(index),
          ...(place === 0 ? ['serviceAccount'] : ['serviceAccounts', place - 1]),
        ],
        value: JSON.stringify(`${namespace}/${account}`),
        what: `is ${isFirst ? 'the' : 'a'} service account of ${formatPath(applicationPath(other.index))} on ${cluster} already`,
        remedy: 'Set another `serviceAccount` or `namespace`.',
      };
    }
    return undefined;
  }),
);
