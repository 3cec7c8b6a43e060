import { serviceOperatorAccount, workloadIdentityWebhookNamespace } from '../../components/identity/subjects';
import type { WorkloadPlan } from '../plan';
import { accountOf, usesExistingNamespace, usesExistingServiceAccount } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { Check, CheckContext } from './context';
import { repeated } from './context';

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

export const reservedNamespaces: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap((application, index) =>
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
  );

/** A namespace is there or is made: applications that share one must agree. */
export const sharedNamespaces: Check = ({ settings, plan, applicationPath }) =>
  firstOnly(
    plan.clusters.flatMap(({ settings: cluster, workloads }) =>
      workloads.flatMap(({ application, namespace }, place): ApplicationProblem[] => {
        const other = workloads
          .slice(0, place)
          .find(
            (one) =>
              one.namespace === namespace &&
              usesExistingNamespace(one.application) !== usesExistingNamespace(application) &&
              one.application.name !== application.name,
          );
        const index = applicationIndex(settings, application.name);
        if (other === undefined) return [];
        const owner = applicationIndex(settings, other.application.name);
        return [
          {
            index,
            problem: {
              path: [...applicationPath(index), 'namespace'],
              value: JSON.stringify(namespace),
              what: `is ${usesExistingNamespace(application) ? 'existing' : 'made'} here and ${usesExistingNamespace(other.application) ? 'existing' : 'made'} by ${formatPath(applicationPath(owner))} on ${cluster.name}`,
              allowed: 'the same `existing` wherever a namespace is named',
              remedy: `Write \`namespace: { name: ${namespace}, existing: true }\` in both if it exists, \`namespace: ${namespace}\` if it is to be made.`,
            },
          },
        ];
      }),
    ),
  );

/** Which service accounts can exist, and which can be made. */
export const serviceAccounts: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap((application, index): Problem[] => {
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
  });

/** A service account has one identity: two applications under one would take it from each other. */
export const uniqueServiceAccounts: Check = (context) =>
  firstOnly(
    context.plan.clusters.flatMap(({ settings: cluster, workloads }) =>
      repeated(workloads.flatMap(accountsOf), ({ namespace, account }) => `${namespace}/${account}`).flatMap(
        ({ item, first }) => {
          const other = workloads.flatMap(accountsOf)[first];
          // Applications of one name are reported as that, and so is one that names an account twice.
          if (other === undefined || other.application === item.application) return [];
          return [duplicate(context, cluster.name, item, other)];
        },
      ),
    ),
  );

interface NamedAccount {
  readonly application: string;
  readonly namespace: string;
  readonly account: string;
  /** Its place in `serviceAccounts`; undefined for the first. */
  readonly place: number | undefined;
}

function accountsOf({ application, namespace, serviceAccounts }: WorkloadPlan): NamedAccount[] {
  return serviceAccounts.map((account, index) => ({
    application: application.name,
    namespace,
    account,
    place: index === 0 ? undefined : index - 1,
  }));
}

function duplicate(
  { settings, applicationPath }: CheckContext,
  cluster: string,
  { application, namespace, account, place }: NamedAccount,
  other: NamedAccount,
): ApplicationProblem {
  const index = applicationIndex(settings, application);
  const owner = applicationIndex(settings, other.application);
  return {
    index,
    problem: {
      path: [
        ...applicationPath(index),
        ...(place === undefined ? ['serviceAccount'] : ['serviceAccounts', place]),
      ],
      value: JSON.stringify(`${namespace}/${account}`),
      what: `is ${other.place === undefined ? 'the' : 'a'} service account of ${formatPath(applicationPath(owner))} on ${cluster} already`,
      remedy: 'Set another `serviceAccount` or `namespace`.',
    },
  };
}

interface ApplicationProblem {
  /** Of the application, in the settings. */
  readonly index: number;
  readonly problem: Problem;
}

/** Each application's first: on the next cluster it is the same again. */
function firstOnly(problems: readonly ApplicationProblem[]): Problem[] {
  const reported = new Set<number>();
  return problems.flatMap(({ index, problem }) => {
    if (reported.has(index)) return [];
    reported.add(index);
    return [problem];
  });
}
