import { bindingLabel } from '../../components/podIdentity/names';
import { fieldsOf } from '../../components/resource/fields';
import { grouped } from './grouped';

/** A pod with the label of aad-pod-identity. Names are `<namespace>/<name>`. */
export interface LabelledPod {
  readonly name: string;
  readonly uid: string;
  readonly address: string;
  /** Value of the label `aadpodidbinding`. */
  readonly selector: string;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/** An AzureIdentityBinding. */
export interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly identity: string;
  readonly selector: string;
}

/** An AzureAssignedIdentity: the controller's assignment of an identity to a pod. */
export interface Assigned {
  readonly pod: string;
  readonly binding: string;
}

/** Objects listed from a cluster. */
export interface ClusterObjects {
  readonly pods: readonly unknown[];
  readonly identities: readonly unknown[];
  readonly bindings: readonly unknown[];
  readonly assigned: readonly unknown[];
}

/** Milliseconds for which deleted objects are remembered: the log still refers to them. */
const remembered = 2 * 60 * 60_000;

/** Maximum time in milliseconds that a pod may exist after it was last listed. */
const longestInterval = 60_000;

type SeenPod = LabelledPod & { readonly seen: number };

/** The pods, identities and bindings that a cluster has, or recently had. */
export class ClusterState {
  private readonly pods = new Map<string, SeenPod>();
  private byName = new Map<string, SeenPod>();
  private byAddress: ReadonlyMap<string, readonly SeenPod[]> = new Map();
  private readonly clientIds = new Map<string, { readonly clientId: string; readonly seen: number }>();
  private bindings: readonly Binding[] = [];
  private assigned: readonly Assigned[] = [];

  /** @param now milliseconds since 1970 */
  update({ pods, identities, bindings, assigned }: ClusterObjects, now: number): void {
    for (const pod of pods.map(podOf)) this.pods.set(pod.uid, { ...pod, seen: now });
    for (const identity of identities) {
      const { clientID } = fieldsOf(fieldsOf(identity).spec);
      this.clientIds.set(nameOf(identity), { clientId: String(clientID), seen: now });
    }
    for (const map of [this.pods, this.clientIds])
      for (const [key, { seen }] of map) if (seen < now - remembered) map.delete(key);
    // Indexed, because it is looked up for each log line. The first pod of a name wins.
    this.byName = new Map([...this.pods.values()].reverse().map((pod) => [pod.name, pod]));
    this.byAddress = grouped([...this.pods.values()], ({ address }) => address);
    this.bindings = bindings.map(bindingOf);
    this.assigned = assigned.map(assignedOf);
  }

  /** Returns the pods that had the address at the time. */
  podsAt(address: string, time: number): string[] {
    // Addresses are reused by other pods before and afterwards.
    return (address === '' ? [] : (this.byAddress.get(address) ?? []))
      .filter(({ created, seen }) => created <= time && time < seen + longestInterval)
      .map(({ name }) => name);
  }

  /** Tells whether the address of the pod is known. */
  hasAddress(pod: string): boolean {
    return (this.podNamed(pod)?.address ?? '') !== '';
  }

  podNamed(name: string): LabelledPod | undefined {
    return this.byName.get(name);
  }

  /** Returns the identities assigned to the pod. */
  identitiesOf(pod: string): string[] {
    return this.bindingsOf(pod).map(({ namespace, identity }) => `${namespace}/${identity}`);
  }

  /** Returns the client id of the identity, or undefined if it is unknown. */
  clientIdOf(identity: string): string | undefined {
    return this.clientIds.get(identity)?.clientId;
  }

  /** The bindings that the controller assigned to a pod or, before it does, those in its namespace that select it. */
  bindingsOf(pod: string): Binding[] {
    const names = this.assigned.filter((entry) => entry.pod === pod).map(({ binding }) => binding);
    const assigned = this.bindings.filter(({ namespace, name }) => names.includes(`${namespace}/${name}`));
    if (assigned.length > 0) return assigned;
    const { selector } = this.podNamed(pod) ?? {};
    const [podNamespace] = pod.split('/', 1);
    return this.bindings.filter(
      (binding) => binding.selector === selector && binding.namespace === podNamespace,
    );
  }

  /** The bindings to the identity that select one of the pods; all of its bindings if none of the pods is known. */
  bindingsTo(identity: string, pods: readonly string[]): Binding[] {
    const bindings = this.bindings.filter(
      (binding) => `${binding.namespace}/${binding.identity}` === identity,
    );
    const selectors = pods.flatMap((pod) => this.podNamed(pod)?.selector ?? []);
    return selectors.length === 0
      ? bindings
      : bindings.filter(({ selector }) => selectors.includes(selector));
  }
}

function metadataOf(object: unknown) {
  const { namespace, name, uid, creationTimestamp, labels } = fieldsOf(fieldsOf(object).metadata);
  return {
    ...{ namespace: String(namespace), name: String(name), uid: String(uid) },
    created: Date.parse(String(creationTimestamp)),
    labels: fieldsOf(labels),
  };
}

function nameOf(object: unknown): string {
  const { namespace, name } = metadataOf(object);
  return `${namespace}/${name}`;
}

function podOf(object: unknown): LabelledPod {
  const { podIP } = fieldsOf(fieldsOf(object).status);
  const { hostNetwork } = fieldsOf(fieldsOf(object).spec);
  const { uid, created, labels } = metadataOf(object);
  return {
    ...{ name: nameOf(object), uid, created, selector: String(labels[bindingLabel]) },
    // With host network, the address is the node's: the node component accepts no requests from it.
    address: hostNetwork === true || typeof podIP !== 'string' ? '' : podIP,
  };
}

function bindingOf(object: unknown): Binding {
  const { azureIdentity, selector } = fieldsOf(fieldsOf(object).spec);
  const { namespace, name, uid } = metadataOf(object);
  return { namespace, name, uid, identity: String(azureIdentity), selector: String(selector) };
}

function assignedOf(object: unknown): Assigned {
  const { pod, podNamespace, azureBindingRef } = fieldsOf(fieldsOf(object).spec);
  return {
    pod: `${String(podNamespace)}/${String(pod)}`,
    binding: nameOf(azureBindingRef),
  };
}
