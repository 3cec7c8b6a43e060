import type { LegacyObject, PodTemplate } from './objects';

/** The label by which aad-pod-identity selects pods. */
export const bindingLabel = 'aadpodidbinding';
/** The label by which the workload identity webhook selects pods. */
export const useLabel = 'azure.workload.identity/use';

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
  /** Bindings that select no pod: left over from what was migrated. */
  readonly unused: readonly string[];
  /** Exceptions, which workload identity does not need. */
  readonly exceptions: readonly string[];
  /** Its controller or node component runs. */
  readonly isInstalled: boolean;
}

const nameOf = ({ kind = '', metadata }: LegacyObject): string =>
  `${kind} ${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;
const namespaceOf = ({ metadata }: LegacyObject): string => metadata?.namespace ?? 'default';

/** The template of the pods that an object makes; undefined of what makes none, or is made by another object. */
function templateOf(object: LegacyObject): PodTemplate | undefined {
  const { kind, spec, metadata } = object;
  if ((metadata?.ownerReferences ?? []).length > 0) return undefined;
  if (kind === 'Pod') return { metadata: { labels: metadata?.labels ?? {} }, spec: spec ?? {} };
  return kind === 'CronJob' ? spec?.jobTemplate?.spec?.template : spec?.template;
}

/** What there is, and what becomes of it. Pure. */
export function planMigration(objects: readonly LegacyObject[]): Migration {
  const ofKind = (kind: string) => objects.filter((one) => one.kind === kind);
  const identities = ofKind('AzureIdentity');
  const bindings = ofKind('AzureIdentityBinding');
  const templates = objects.flatMap((object) => {
    const template = templateOf(object);
    const selector = template?.metadata?.labels?.[bindingLabel];
    return template === undefined || selector === undefined ? [] : [{ object, template, selector }];
  });
  const outcomes = templates.map(({ object, template, selector }) =>
    judge(object, template, selector, { identities, bindings }),
  );
  const found = outcomes.flatMap((one) => ('binding' in one ? [one] : []));
  const shared = found.flatMap((one) => sharedAccount(one, found));
  const candidates = found.filter((one) => shared.every(({ what }) => what !== labelOf(one)));
  const selectors = new Set(templates.map(({ selector }) => selector));
  const isPartOf = (component: string) =>
    objects.some(({ metadata }) => metadata?.labels?.['app.kubernetes.io/component'] === component);
  return {
    candidates,
    obstacles: [...outcomes.flatMap((one) => ('problem' in one ? [one] : [])), ...shared],
    unused: bindings.filter(({ spec }) => !selectors.has(spec?.selector ?? '')).map(nameOf),
    exceptions: ofKind('AzurePodIdentityException').map(nameOf),
    isInstalled: isPartOf('mic') || isPartOf('nmi'),
  };
}

export const labelOf = ({ kind, namespace, name }: Candidate): string => `${kind} ${namespace}/${name}`;

function judge(
  object: LegacyObject,
  template: PodTemplate,
  selector: string,
  { identities, bindings }: { identities: readonly LegacyObject[]; bindings: readonly LegacyObject[] },
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
          : 'Let it sign in as an application in Entra without a password: `identity: servicePrincipal` (docs/service-principals.md).',
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
