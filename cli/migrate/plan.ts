import { bindingLabel, identityType, tryParseResourceId } from '../../stacks/offline';
import { isWorkload, listCommand, type LegacyObject, type PodTemplate } from './objects';

/** What signs in by aad-pod-identity, and can sign in by workload identity. */
export interface Candidate {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly serviceAccount: string;
  /** Name of its AzureIdentityBinding. */
  readonly binding: string;
  /** The managed identity: its object's name, and what that says of it. */
  readonly identity: { readonly name: string; readonly resourceId: string; readonly clientId: string };
  readonly template: PodTemplate;
  readonly replicas?: number;
}

/** What cannot be migrated as it is. */
export interface Obstacle {
  /** `Deployment legacy/orders`. */
  readonly what: string;
  readonly problem: string;
  readonly remedy: string;
}

/** What there is of aad-pod-identity in a cluster. */
export interface Migration {
  readonly candidates: readonly Candidate[];
  readonly obstacles: readonly Obstacle[];
  /** Bindings that select no pod of their namespace: left over from what was migrated. */
  readonly unused: readonly string[];
  /** Exceptions, which workload identity does not need. */
  readonly exceptions: readonly string[];
  /** Identities that are on the nodes: the number of AzureAssignedIdentity. */
  readonly assigned: number;
  /** How its controller and node component are removed, if there are any. */
  readonly uninstall?: string;
  /** What files do not tell. */
  readonly unchecked: readonly string[];
}

const nameOf = ({ kind = '', metadata }: LegacyObject): string =>
  `${kind} ${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;
const namespaceOf = ({ metadata }: LegacyObject): string => metadata?.namespace ?? 'default';

/** The template of the pods that an object makes, or is; undefined of what makes none. */
function templateOf({ kind, spec, metadata }: LegacyObject): PodTemplate | undefined {
  if (kind === 'Pod') return { metadata: { labels: metadata?.labels ?? {} }, spec: spec ?? {} };
  return kind === 'CronJob' ? spec?.jobTemplate?.spec?.template : spec?.template;
}

/** Whether a pod has ended: nothing of it signs in any more. */
export const hasEnded = ({ kind, status }: LegacyObject): boolean =>
  kind === 'Pod' && (status?.phase === 'Succeeded' || status?.phase === 'Failed');

/**
 * What there is, and what becomes of it. Pure.
 *
 * @param isComplete the objects are all of a cluster; of files it is not known
 */
export function planMigration(
  objects: readonly LegacyObject[],
  { isComplete }: { isComplete: boolean },
): Migration {
  const ofKind = (kind: string) => objects.filter((one) => one.kind === kind);
  const [bindings, assigned] = [ofKind('AzureIdentityBinding'), ofKind('AzureAssignedIdentity')];
  const labelled = objects.flatMap((object) => {
    const template = templateOf(object);
    const selector = template?.metadata?.labels?.[bindingLabel];
    if (template === undefined || selector === undefined || hasEnded(object)) return [];
    return [{ object, template, selector, owner: object.metadata?.ownerReferences?.[0] }];
  });
  const read = new Set(objects.map(nameOf));
  const isRead = (object: LegacyObject, { kind, name }: { kind: string; name: string }) =>
    read.has(`${kind} ${namespaceOf(object)}/${name}`);
  const outcomes = labelled.flatMap(({ object, template, selector, owner }) =>
    owner === undefined
      ? [
          judge(object, template, selector, {
            ...{ identities: ofKind('AzureIdentity'), bindings },
            assigned: isComplete || assigned.length > 0 ? assigned : undefined,
          }),
        ]
      : isWorkload(owner) && isRead(object, owner)
        ? []
        : [madeByOther(object, owner)],
  );
  const found = outcomes.flatMap((one) => ('binding' in one ? [one] : []));
  const shared = found.flatMap((one) => sharedAccount(one, found));
  // What another object of the cluster makes says with the next template what it needs; a pod is there today.
  const selected = new Set(
    labelled
      .filter(({ object, owner }) => object.kind === 'Pod' || owner === undefined || !isWorkload(owner))
      .map(({ object, selector }) => `${namespaceOf(object)}/${selector}`),
  );
  const hasWorkloads = isComplete || objects.some(isWorkload);
  const uninstall = uninstallOf(objects);
  return {
    candidates: found.filter((one) => shared.every(({ what }) => what !== labelOf(one))),
    obstacles: oncePerProblem([...outcomes.flatMap((one) => ('problem' in one ? [one] : [])), ...shared]),
    unused: hasWorkloads
      ? bindings.filter((one) => !selected.has(`${namespaceOf(one)}/${one.spec?.selector ?? ''}`)).map(nameOf)
      : [],
    exceptions: ofKind('AzurePodIdentityException').map(nameOf),
    assigned: assigned.length,
    ...(uninstall !== undefined && { uninstall }),
    unchecked: isComplete ? [] : uncheckedIn(hasWorkloads, assigned.length > 0),
  };
}

function uncheckedIn(hasWorkloads: boolean, hasAssigned: boolean): string[] {
  return [
    ...(hasWorkloads
      ? []
      : [`The files have no workload and no pod: which bindings are in use is not known (${listCommand}).`]),
    ...(hasAssigned
      ? []
      : [
          'The files have no AzureAssignedIdentity: whether the identities are assigned could not be checked.',
        ]),
    'Azure was not asked: whether the client ids are those of the identities could not be checked, nor how many federated credentials they have.',
  ];
}

function madeByOther(
  object: LegacyObject,
  owner: { apiVersion: string; kind: string; name: string },
): Obstacle {
  const { kind, name } = owner;
  if (isWorkload(owner))
    return {
      what: nameOf(object),
      problem: `is made by ${kind} ${name}, which was not read`,
      remedy: `Run the command again. Of files, add what \`${listCommand}\` writes.`,
    };
  return {
    what: nameOf(object),
    problem: `is made by ${kind} ${name}, which this command does not read`,
    remedy: `Give the pods the service account and the labels there, as labels.yaml does for others; \`kubectl explain ${kind.toLowerCase()}\` says where.`,
  };
}

/** The pods of one maker have one problem. */
const oncePerProblem = (all: readonly Obstacle[]): Obstacle[] => [
  ...new Map(
    all.map((one) => {
      const isMade = one.problem.startsWith('is made by ');
      return [
        isMade ? `${one.what.split('/', 1)[0] ?? ''} ${one.problem}` : `${one.what} ${one.problem}`,
        one,
      ];
    }),
  ).values(),
];

/** Labels and images of the chart, the manifest (deploy/infra of aad-pod-identity) and the add-on of AKS. */
function uninstallOf(objects: readonly LegacyObject[]): string | undefined {
  const parts = objects.filter((object) => {
    const { metadata, kind } = object;
    const { 'app.kubernetes.io/component': charted, component, 'k8s-app': app } = metadata?.labels ?? {};
    return (
      kind !== 'ServiceAccount' &&
      ([charted, component].some((one) => one === 'mic' || one === 'nmi') ||
        app === 'aad-pod-id' ||
        (templateOf(object)?.spec?.containers ?? []).some(({ image = '' }) =>
          /\/(mic|nmi)([:@][^/]*)?$/.test(image),
        ))
    );
  });
  const has = (label: string) => parts.some(({ metadata }) => metadata?.labels?.[label] !== undefined);
  if (parts.length === 0) return undefined;
  if (has('app.kubernetes.io/component') || has('helm.sh/chart'))
    return 'remove `podIdentity` of the cluster from the stack file, and update; if somebody else installed it: `helm uninstall aad-pod-identity`';
  return has('kubernetes.azure.com/managedby') || has('addonmanager.kubernetes.io/mode')
    ? '`az aks update --disable-pod-identity`, since it is the add-on of AKS'
    : '`kubectl delete --filename` with the manifest that it was installed from (deployment-rbac.yaml), without its definitions';
}

export const labelOf = ({ kind, namespace, name }: Candidate): string => `${kind} ${namespace}/${name}`;

/** What no name in Azure has, and a shell or a URL could read as something else. */
const isOdd = /[^\w./()-]|\/\.+(\/|$)/;

function judge(
  object: LegacyObject,
  template: PodTemplate,
  selector: string,
  {
    identities,
    bindings,
    assigned,
  }: Record<'identities' | 'bindings', readonly LegacyObject[]> & {
    assigned: readonly LegacyObject[] | undefined;
  },
): Candidate | Obstacle {
  const what = nameOf(object);
  const namespace = namespaceOf(object);
  const bound = bindings.filter(({ spec }) => spec?.selector === selector);
  const here = bound.filter((one) => namespaceOf(one) === namespace);
  const [binding, other] = here;
  if (binding === undefined) {
    const [elsewhere] = bound;
    return elsewhere === undefined
      ? {
          what,
          problem: `has the label ${bindingLabel}: ${selector}, which no AzureIdentityBinding selects`,
          remedy: 'It gets no token: remove the label, or make the binding that is missing.',
        }
      : {
          what,
          problem: `is bound from another namespace, by ${nameOf(elsewhere)}`,
          remedy: `A service account is in one namespace: make AzureIdentity and AzureIdentityBinding in ${namespace} as well, and run the command again.`,
        };
  }
  if (other !== undefined)
    return {
      what,
      problem: `has several identities, by ${here.map(nameOf).join(' and ')}`,
      remedy:
        'A service account names one identity, and a client asks for others by their client id: keep the binding of the one that it asks for by default, and migrate the others by hand.',
    };
  const identity = identities.find(
    (one) => one.metadata?.name === binding.spec?.azureIdentity && namespaceOf(one) === namespace,
  );
  const { type, resourceID = '', clientID = '' } = identity?.spec ?? {};
  if (identity === undefined || (type ?? 0) !== 0)
    return {
      what,
      problem:
        identity === undefined
          ? `is bound to the AzureIdentity ${binding.spec?.azureIdentity ?? ''}, which does not exist`
          : `signs in as a service principal with a ${type === 2 ? 'certificate' : 'password'} (type ${type ?? ''}), of ${nameOf(identity)}`,
      remedy:
        identity === undefined
          ? 'It gets no token: remove the binding, or make the identity that is missing.'
          : 'Let it sign in as an application in Entra without a password: `identity: servicePrincipal` with `signIn: workloadIdentity` (docs/service-principals.md).',
    };
  if (
    tryParseResourceId(resourceID)?.type.toLowerCase() !== identityType.toLowerCase() ||
    isOdd.test(resourceID)
  )
    return {
      what,
      problem: `has in ${nameOf(identity)} the resource id ${JSON.stringify(resourceID)}, which is not of a managed identity`,
      remedy: `Correct it: /subscriptions/S/resourcegroups/G/providers/${identityType}/N.`,
    };
  const isSame = (id: string | undefined) => id?.toLowerCase() === resourceID.toLowerCase();
  const twin = identities.find((one) => namespaceOf(one) !== namespace && isSame(one.spec?.resourceID));
  if (twin !== undefined)
    return {
      what,
      problem: `signs in as ${resourceID}, which ${nameOf(twin)} names as well: who owns the identity?`,
      remedy:
        'Each would get a trust. Remove the AzureIdentity of who does not own it. If it is meant for both, give each namespace an identity of its own, or make their trusts by hand.',
    };
  // The controller writes them into the namespace of the identity, or all into `default`. It is the only one who should:
  // there is no subresource, so whoever may create one can write any status.
  if (clientID === '')
    return {
      what,
      problem: `has no client id in ${nameOf(identity)}`,
      remedy: `Write the one that \`az identity show --ids ${resourceID}\` prints into its \`clientID\`.`,
    };
  const isAssigned = (one: LegacyObject) =>
    one.status?.status === 'Assigned' &&
    [namespace, 'default'].includes(namespaceOf(one)) &&
    one.spec?.podNamespace === namespace &&
    isSame(one.spec.azureIdentityRef?.spec?.resourceID);
  if (assigned !== undefined && !assigned.some(isAssigned))
    return {
      what,
      problem: `is bound to ${nameOf(identity)}, which is not assigned today and may be one that was never assigned: who owns the identity?`,
      remedy:
        'A trust would give it to the namespace. If it is theirs, let a pod of the workload run until the controller has assigned it, and run the command again.',
    };
  const { serviceAccountName = 'default', nodeSelector = {} } = template.spec ?? {};
  if (nodeSelector['kubernetes.io/os'] === 'windows')
    return {
      what,
      problem: 'runs on Windows, where aad-pod-identity gives no tokens',
      remedy:
        'Let it sign in by workload identity as a new application; the migration proxy runs on Linux only.',
    };
  if (serviceAccountName === 'default')
    return {
      what,
      problem: `runs under the service account default of ${namespace}, as every pod there that names none`,
      remedy:
        'Give it a service account of its own (`serviceAccountName`): a trust in the default one is a trust in all of them.',
    };
  return {
    ...{ kind: object.kind ?? '', namespace, name: object.metadata?.name ?? '', template },
    serviceAccount: serviceAccountName,
    binding: binding.metadata?.name ?? '',
    identity: { name: identity.metadata?.name ?? '', resourceId: resourceID, clientId: clientID },
    ...(object.spec?.replicas !== undefined && { replicas: object.spec.replicas }),
  };
}

/** Pods of one service account sign in as one identity. */
function sharedAccount(one: Candidate, all: readonly Candidate[]): Obstacle[] {
  const other = all.find(
    ({ namespace, serviceAccount, identity }) =>
      namespace === one.namespace &&
      serviceAccount === one.serviceAccount &&
      identity.clientId.toLowerCase() !== one.identity.clientId.toLowerCase(),
  );
  if (other === undefined) return [];
  return [
    {
      what: labelOf(one),
      problem: `shares the service account ${one.serviceAccount} with ${labelOf(other)}, which has another identity`,
      remedy: 'Give each a service account of its own.',
    },
  ];
}
