import { bindingLabel } from '../../components/podIdentity/names';
import { identityType, tryParseResourceId } from '../../components/azure/resourceId';
import { isWorkload, listCommand, type LegacyObject, type PodTemplate } from './objects';

/** A workload that signs in with aad-pod-identity and can be migrated to workload identity. */
export interface Candidate {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly serviceAccount: string;
  /** Name of its AzureIdentityBinding. */
  readonly binding: string;
  /** The managed identity by its AzureIdentity: name of the object, resource id and client id. */
  readonly identity: { readonly name: string; readonly resourceId: string; readonly clientId: string };
  readonly template: PodTemplate;
  readonly replicas?: number;
}

/** A reason why something cannot be migrated as it is. */
export interface Obstacle {
  /** `Deployment legacy/orders`. */
  readonly what: string;
  readonly problem: string;
  readonly hint: string;
}

/** The state of aad-pod-identity in a cluster. */
export interface Migration {
  readonly candidates: readonly Candidate[];
  readonly obstacles: readonly Obstacle[];
  /** Bindings that select no pod of their namespace, such as those of migrated workloads. */
  readonly unused: readonly string[];
  /** Exceptions; workload identity does not need them. */
  readonly exceptions: readonly string[];
  /** Number of AzureAssignedIdentity objects: identities that are assigned to nodes. */
  readonly assigned: number;
  /** The way to remove its controller and node component, if there are any. */
  readonly uninstall?: string;
  /** Notes on what files do not show. */
  readonly unchecked: readonly string[];
}

const nameOf = ({ kind = '', metadata }: LegacyObject): string =>
  `${kind} ${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;
const namespaceOf = ({ metadata }: LegacyObject): string => metadata?.namespace ?? 'default';

/** Returns the pod template of an object, or of a pod itself; undefined for other kinds. */
function templateOf({ kind, spec, metadata }: LegacyObject): PodTemplate | undefined {
  if (kind === 'Pod') return { metadata: { labels: metadata?.labels ?? {} }, spec: spec ?? {} };
  return kind === 'CronJob' ? spec?.jobTemplate?.spec?.template : spec?.template;
}

/** Tells whether a pod has ended. It then no longer signs in. */
export const hasEnded = ({ kind, status }: LegacyObject): boolean =>
  kind === 'Pod' && (status?.phase === 'Succeeded' || status?.phase === 'Failed');

/**
 * Plans the migration of a cluster's objects.
 *
 * @param isComplete the objects are all those of a cluster; unknown for files
 */
export function planMigration(
  objects: readonly LegacyObject[],
  { isComplete }: { isComplete: boolean },
): Migration {
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
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
        : [createdByOther(object, owner)],
  );
  const candidates = outcomes.flatMap((outcome) => ('binding' in outcome ? [outcome] : []));
  const shared = candidates.flatMap((candidate) => sharedAccount(candidate, candidates));
  // Existing pods and workloads use bindings. The owner's template determines the label of a ReplicaSet or Job.
  const selected = new Set(
    labelled
      .filter(({ object, owner }) => object.kind === 'Pod' || owner === undefined || !isWorkload(owner))
      .map(({ object, selector }) => `${namespaceOf(object)}/${selector}`),
  );
  const hasWorkloads = isComplete || objects.some(isWorkload);
  const uninstall = uninstallOf(objects);
  return {
    candidates: candidates.filter((candidate) => shared.every(({ what }) => what !== labelOf(candidate))),
    obstacles: oncePerProblem([
      ...outcomes.flatMap((outcome) => ('problem' in outcome ? [outcome] : [])),
      ...shared,
    ]),
    unused: hasWorkloads
      ? bindings
          .filter((binding) => !selected.has(`${namespaceOf(binding)}/${binding.spec?.selector ?? ''}`))
          .map(nameOf)
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
      : [
          `The files have no workloads and no pods, so it is unknown which bindings are in use (${listCommand}).`,
        ]),
    ...(hasAssigned
      ? []
      : ['The files have no AzureAssignedIdentity, so the assignment of identities was not checked.']),
    'Azure was not read, so the client ids of the identities and the number of their federated credentials were not checked.',
  ];
}

function createdByOther(
  object: LegacyObject,
  owner: { apiVersion: string; kind: string; name: string },
): Obstacle {
  const { kind, name } = owner;
  if (isWorkload(owner))
    return {
      what: nameOf(object),
      problem: `is created by ${kind} ${name}, which was not read`,
      hint: `Run the command again. With --files, add the output of \`${listCommand}\`.`,
    };
  return {
    what: nameOf(object),
    problem: `is created by ${kind} ${name}, which this command does not read`,
    hint: `Set the service account and the labels of its pods in that object, as labels.yaml does for others; \`kubectl explain ${kind.toLowerCase()}\` shows where.`,
  };
}

/** Removes duplicates: pods of the same owner have the same problem. */
const oncePerProblem = (obstacles: readonly Obstacle[]): Obstacle[] => [
  ...new Map(
    obstacles.map((obstacle) => {
      const { what, problem } = obstacle;
      const isOfOwner = problem.startsWith('is created by ');
      return [isOfOwner ? `${what.split('/', 1)[0] ?? ''} ${problem}` : `${what} ${problem}`, obstacle];
    }),
  ).values(),
];

/** Tells how to uninstall it, by the labels and images of the chart, the manifest (deploy/infra) and the AKS add-on. */
function uninstallOf(objects: readonly LegacyObject[]): string | undefined {
  const parts = objects.filter((object) => {
    const { metadata, kind } = object;
    const { 'app.kubernetes.io/component': ofChart, component, 'k8s-app': app } = metadata?.labels ?? {};
    return (
      kind !== 'ServiceAccount' &&
      ([ofChart, component].some((name) => name === 'mic' || name === 'nmi') ||
        app === 'aad-pod-id' ||
        (templateOf(object)?.spec?.containers ?? []).some(({ image = '' }) =>
          /\/(mic|nmi)([:@][^/]*)?$/.test(image),
        ))
    );
  });
  const has = (label: string) => parts.some(({ metadata }) => metadata?.labels?.[label] !== undefined);
  if (parts.length === 0) return undefined;
  if (has('app.kubernetes.io/component') || has('helm.sh/chart'))
    return 'remove `podIdentity` of the cluster from the stack file, and update; if it was installed otherwise: `helm uninstall aad-pod-identity`';
  return has('kubernetes.azure.com/managedby') || has('addonmanager.kubernetes.io/mode')
    ? '`az aks update --disable-pod-identity`, since it is the AKS add-on'
    : '`kubectl delete --filename` with the manifest that it was installed from (deployment-rbac.yaml), without its definitions';
}

export const labelOf = ({ kind, namespace, name }: Candidate): string => `${kind} ${namespace}/${name}`;

/** Matches characters that Azure's names never have and that a shell or a URL could interpret. */
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
  const inNamespace = bound.filter((candidate) => namespaceOf(candidate) === namespace);
  const [binding, other] = inNamespace;
  if (binding === undefined) {
    const [elsewhere] = bound;
    return elsewhere === undefined
      ? {
          what,
          problem: `has the label ${bindingLabel}: ${selector}, which no AzureIdentityBinding selects`,
          hint: 'It gets no token: remove the label, or create the missing binding.',
        }
      : {
          what,
          problem: `is bound from another namespace, by ${nameOf(elsewhere)}`,
          hint: `A service account is in one namespace: create AzureIdentity and AzureIdentityBinding in ${namespace} too, and run the command again.`,
        };
  }
  if (other !== undefined)
    return {
      what,
      problem: `has several identities, by ${inNamespace.map(nameOf).join(' and ')}`,
      hint: 'A service account names one identity; clients select others by client id. Keep the binding of the default one, and migrate the others by hand.',
    };
  const identity = identities.find(
    (candidate) =>
      candidate.metadata?.name === binding.spec?.azureIdentity && namespaceOf(candidate) === namespace,
  );
  const { type, resourceID = '', clientID = '' } = identity?.spec ?? {};
  if (identity === undefined || (type ?? 0) !== 0)
    return {
      what,
      problem:
        identity === undefined
          ? `is bound to the AzureIdentity ${binding.spec?.azureIdentity ?? ''}, which does not exist`
          : `signs in as a service principal with a ${type === 2 ? 'certificate' : 'password'} (type ${type ?? ''}), of ${nameOf(identity)}`,
      hint:
        identity === undefined
          ? 'It gets no token: remove the binding, or create the missing identity.'
          : 'Let it sign in as an application in Entra without a password: `identity: servicePrincipal` with `signIn: workloadIdentity` (docs/service-principals.md).',
    };
  if (
    tryParseResourceId(resourceID)?.type.toLowerCase() !== identityType.toLowerCase() ||
    isOdd.test(resourceID)
  )
    return {
      what,
      problem: `has a resource id in ${nameOf(identity)} that is not a managed identity's: ${JSON.stringify(resourceID)}`,
      hint: `Correct it to the form /subscriptions/S/resourcegroups/G/providers/${identityType}/N.`,
    };
  const isSame = (id: string | undefined) => id?.toLowerCase() === resourceID.toLowerCase();
  const twin = identities.find(
    (candidate) => namespaceOf(candidate) !== namespace && isSame(candidate.spec?.resourceID),
  );
  if (twin !== undefined)
    return {
      what,
      problem: `signs in as ${resourceID}, which ${nameOf(twin)} also names: who owns the identity?`,
      hint: 'Both namespaces would be trusted. Remove the AzureIdentity of the namespace that does not own the identity. If it is for both, give each namespace its own identity, or create the federated credentials by hand.',
    };
  if (clientID === '')
    return {
      what,
      problem: `has no client id in ${nameOf(identity)}`,
      hint: `Set its \`clientID\` to the one that \`az identity show --ids ${resourceID}\` prints.`,
    };
  // The controller writes assignments into the namespace of the identity, or all into `default`. They prove nothing:
  // without a status subresource, anyone who may create one can write any status.
  const isAssigned = ({ status, spec, ...object }: LegacyObject) =>
    status?.status === 'Assigned' &&
    [namespace, 'default'].includes(namespaceOf(object)) &&
    spec?.podNamespace === namespace &&
    isSame(spec.azureIdentityRef?.spec?.resourceID);
  if (assigned !== undefined && !assigned.some(isAssigned))
    return {
      what,
      problem: `is bound to ${nameOf(identity)}, which is not assigned now and may never have been: who owns the identity?`,
      hint: 'A federated credential would give the identity to the namespace. If the namespace owns it, run a pod of the workload until the controller has assigned it, and run the command again.',
    };
  const { serviceAccountName = 'default', nodeSelector = {} } = template.spec ?? {};
  if (nodeSelector['kubernetes.io/os'] === 'windows')
    return {
      what,
      problem: 'runs on Windows, where aad-pod-identity gives no tokens',
      hint: 'Set it up with workload identity as a new application; the migration proxy runs only on Linux.',
    };
  if (serviceAccountName === 'default')
    return {
      what,
      problem: `runs under the service account default of ${namespace}, like every pod there that names none`,
      hint: 'Give it its own service account (`serviceAccountName`): trusting the default one would trust all these pods.',
    };
  return {
    ...{ kind: object.kind ?? '', namespace, name: object.metadata?.name ?? '', template },
    serviceAccount: serviceAccountName,
    binding: binding.metadata?.name ?? '',
    identity: { name: identity.metadata?.name ?? '', resourceId: resourceID, clientId: clientID },
    ...(object.spec?.replicas !== undefined && { replicas: object.spec.replicas }),
  };
}

/** Returns an obstacle if a candidate with another identity has the same service account. */
function sharedAccount(candidate: Candidate, candidates: readonly Candidate[]): Obstacle[] {
  const other = candidates.find(
    ({ namespace, serviceAccount, identity }) =>
      namespace === candidate.namespace &&
      serviceAccount === candidate.serviceAccount &&
      identity.clientId.toLowerCase() !== candidate.identity.clientId.toLowerCase(),
  );
  if (other === undefined) return [];
  return [
    {
      what: labelOf(candidate),
      problem: `shares the service account ${candidate.serviceAccount} with ${labelOf(other)}, which has another identity`,
      hint: 'Give each its own service account.',
    },
  ];
}
