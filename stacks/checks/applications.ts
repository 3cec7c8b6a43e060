import { serviceOperatorAccount } from '../../components/serviceOperator';
import type { Problem } from '../problem';
import { formatPath } from '../problem';
import type { Check } from './context';
import { repeated } from './context';

export const uniqueApplications: Check = ({ settings, applicationPath }) =>
  repeated(settings.applications, ({ name }) => name).map(({ item, index, first }) => ({
    path: [...applicationPath(index), 'name'],
    value: JSON.stringify(item.name),
    what: `is the name of ${formatPath(applicationPath(first))} already`,
    remedy: 'Give each application its own name.',
  }));

export const uniqueListEntries: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap((application, index) =>
    (['secrets', 'clusters'] as const).flatMap((key) =>
      // Key Vault compares names of secrets without regard to case.
      repeated(application[key] ?? [], (name) => name.toLowerCase()).map(({ item, index: place }) => ({
        path: [...applicationPath(index), key, place],
        value: JSON.stringify(item),
        what: 'is in the list already',
        remedy: 'Remove one of them.',
      })),
    ),
  );

export const imageOrChart: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap((application, index): Problem[] => {
    const path = applicationPath(index);
    if (application.image === undefined && application.chart === undefined) {
      return [
        {
          path,
          value: JSON.stringify(application.name),
          what: 'has nothing to run',
          allowed: 'either `image` or `chart`',
          remedy: 'Add one of them.',
        },
      ];
    }
    if (application.chart === undefined) return [];
    return (['image', 'replicas', 'port', 'env'] as const)
      .filter((key) => application[key] !== undefined)
      .map((key) => ({
        path: [...path, key],
        what: 'has no meaning for an application with a chart of its own',
        remedy:
          key === 'image' ? 'Remove `image` or `chart`.' : 'Set it in `chart.values`, as the chart has it.',
      }));
  });

/** What the webhook injects, and what the workload sets itself: another value would be lost, or break the sign-in. */
const reservedVariables = [
  'AZURE_AUTHORITY_HOST',
  'AZURE_CLIENT_ID',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AZURE_TENANT_ID',
  'KEY_VAULT_URI',
  'SECRET_NAMES',
];

export const reservedEnvironment: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap(({ env }, index) =>
    Object.keys(env ?? {})
      .filter((name) => reservedVariables.includes(name))
      .map((name) => ({
        path: [...applicationPath(index), 'env', name],
        what: 'is set by the deployment or by the workload identity webhook',
        allowed: `any but ${reservedVariables.join(', ')}`,
        remedy: 'Remove it.',
      })),
  );

/** Helm's limit; the release has the name of the application. */
const maxReleaseName = 53;

export const releaseNames: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap(({ name, chart }, index) =>
    chart === undefined || name.length <= maxReleaseName
      ? []
      : [
          {
            path: [...applicationPath(index), 'name'],
            value: JSON.stringify(name),
            what: `has ${name.length} characters, too many for the name of a Helm release`,
            allowed: `at most ${maxReleaseName} characters for an application with a chart`,
            remedy: 'Shorten it, and set `namespace` and `serviceAccount` if they must keep the long name.',
          },
        ],
  );

/** Namespaces of the cluster itself, and of what the stack installs beside the applications. */
function isReserved(namespace: string): boolean {
  return (
    namespace === 'default' ||
    namespace.startsWith('kube-') ||
    namespace === 'cert-manager' ||
    namespace === serviceOperatorAccount.namespace
  );
}

export const reservedNamespaces: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap(({ name, namespace }, index) =>
    isReserved(namespace ?? name)
      ? [
          {
            path: [...applicationPath(index), namespace === undefined ? 'name' : 'namespace'],
            value: JSON.stringify(namespace ?? name),
            what: 'is a namespace that is not for applications',
            allowed: `any but default, kube-*, cert-manager, ${serviceOperatorAccount.namespace}`,
            remedy: 'Set another `namespace`.',
          },
        ]
      : [],
  );

/** A service account has one identity: two applications under one would take it from each other. */
export const uniqueServiceAccounts: Check = ({ settings, plan, applicationPath }) => {
  const reported = new Set<number>();
  return plan.clusters.flatMap(({ settings: cluster, workloads }) =>
    repeated(workloads, ({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`).flatMap(
      ({ item, first }) => {
        const index = settings.applications.indexOf(item.application);
        const other = workloads[first]?.application;
        // Applications of one name are reported as that.
        if (reported.has(index) || other === undefined || other.name === item.application.name) return [];
        reported.add(index);
        return [
          {
            path: [...applicationPath(index), 'serviceAccount'],
            value: JSON.stringify(`${item.namespace}/${item.serviceAccount}`),
            what: `is the service account of ${formatPath(applicationPath(settings.applications.indexOf(other)))} on ${cluster.name} already`,
            remedy: 'Set another `serviceAccount` or `namespace`.',
          },
        ];
      },
    ),
  );
};
