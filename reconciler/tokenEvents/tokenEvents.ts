import pLimit from 'p-limit';
import type { TokenEventsDocument } from '../../components/podIdentity/tokenEventsDocument';
import {
  bindingLabel,
  nodeComponentContainer,
  nodeComponentLabel,
  podIdentityApi,
} from '../../components/podIdentity/names';
import { fieldsOf, isRecord } from '../../components/resource/fields';
import { messageOf, type Log } from '../log';
import { Reconciling } from '../reconciling';
import { ClusterState } from './clusterState';
import { Refused, type Kubernetes } from './kubernetes';
import { mostBytes, readLog, type NodePod, type ReadLog } from './nodeLog';
import { tokenRequests } from './requests';
import { minutesOf, type TokenEvent } from './tokenEvent';

export interface TokenEventsOptions {
  /** The text of the document that says where the node component is. */
  readonly read: () => Promise<string>;
  readonly kubernetes: Kubernetes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** The log of a node component, and from when on it is written. */
interface NodeLog {
  readonly node: NodePod;
  readonly from: number;
  readonly log: ReadLog;
}

/** Characters of logs that are held before they are written: not those of all nodes at once. */
const mostHeld = mostBytes / 2;

/** Requests at a time. */
const parallel = 8;

/** Kubernetes keeps events for so long: what is older is not written again. */
const kept = 60 * 60_000;

/** By so much the clock of a node may be behind. */
const skew = 2 * 60_000;

/** Selects the node component's pods. */
const nodeComponent = `${nodeComponentLabel.key}=${nodeComponentLabel.value}`;

/**
 * Writes an event at the binding for each token that aad-pod-identity's node component gave or refused, from its log. It keeps
 * no state: each run reads the last minutes of each log again, and what was written is not written twice.
 */
export class TokenEvents extends Reconciling {
  private readonly state = new ClusterState();
  /** When the log of a node component was last read without an error. */
  private readonly readAt = new Map<string, number>();
  /** How many requests were counted, by what they were counted for. */
  private readonly counted = new Map<string, { readonly count: number; readonly at: number }>();
  private ok = true;

  constructor(private readonly options: TokenEventsOptions) {
    super(options.now);
  }

  protected async runOnce(): Promise<boolean> {
    this.ok = true;
    try {
      const { namespace } = parseDocument(await this.options.read());
      await this.writeAll(namespace);
    } catch (error) {
      this.failed(`nothing is written: ${messageOf(error)}`);
    }
    return this.ok;
  }

  private async writeAll(namespace: string): Promise<void> {
    const { kubernetes, now } = this.options;
    const started = now();
    const nodes = (await kubernetes.list(`/api/v1/namespaces/${namespace}/pods`, nodeComponent)).flatMap(
      nodePods,
    );
    if (nodes.length === 0)
      throw new Error(
        `no pod of aad-pod-identity's node component runs in the namespace ${namespace}; if it is in another one, name that in \`podIdentity.namespace\` of the cluster`,
      );
    let held: NodeLog[] = [];
    let size = 0;
    for (const node of nodes) {
      const read = await this.readNode(node, started);
      if (read === undefined) continue;
      held.push(read);
      size += read.log.size;
      if (size < mostHeld) continue;
      await this.writeHeld(held, started);
      [held, size] = [[], 0];
    }
    await this.writeHeld(held, started);
    for (const [key, { at }] of this.counted) if (at < started - 2 * kept) this.counted.delete(key);
  }

  private async readNode(node: NodePod, started: number): Promise<NodeLog | undefined> {
    const from = this.from(node, started);
    try {
      return {
        ...{ node, from },
        log: await readLog(this.options.kubernetes, node, from, started),
      };
    } catch (error) {
      this.failed(`the log of ${node.name} cannot be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  private async writeHeld(held: readonly NodeLog[], started: number): Promise<void> {
    // After the logs, so that it has every pod that is in them and not gone.
    await this.look();
    for (const one of held) if (await this.write(one)) this.readAt.set(one.node.uid, started);
  }

  /** From when on the log of the node component is to be read. */
  private from({ uid }: NodePod, now: number): number {
    const last = this.readAt.get(uid);
    return Math.max(now - kept, last === undefined ? 0 : last - skew - 60_000);
  }

  private async look(): Promise<void> {
    const { kubernetes, now } = this.options;
    const ofKind = (plural: string) => kubernetes.list(`/apis/${podIdentityApi}/${plural}`);
    const [pods, identities, bindings, assigned] = await Promise.all([
      kubernetes.list('/api/v1/pods', bindingLabel),
      ofKind('azureidentities'),
      ofKind('azureidentitybindings'),
      ofKind('azureassignedidentities'),
    ]);
    this.state.update({ pods, identities, bindings, assigned }, now());
  }

  /** @returns whether all was written */
  private async write({ node, from, log: { lines, isCut } }: NodeLog): Promise<boolean> {
    const { log, now } = this.options;
    if (isCut)
      log({
        ...{ event: 'not recorded', reason: 'the log has more lines than are read', node: node.name },
        ...{ read: String(lines.length), since: new Date(from).toISOString() },
      });
    const minutes = minutesOf(tokenRequests(lines, this.state), this.state, {
      ...{ node: node.uid, from },
      begin: lines[0]?.time,
    });
    const limited = pLimit(parallel);
    const written = await Promise.all(
      minutes.flatMap(({ start, events, withoutBinding }) => {
        const key = `${node.uid} ${start}`;
        const before = this.counted.get(key)?.count ?? 0;
        if (withoutBinding > before) {
          this.counted.set(key, { count: withoutBinding, at: now() });
          log({
            ...{ event: 'not recorded', reason: 'of pods without a binding', node: node.name },
            ...{ requests: String(withoutBinding), minute: new Date(start).toISOString() },
          });
        }
        return events.map((one) => limited(() => this.record(one)));
      }),
    );
    return written.every(Boolean);
  }

  /** @returns whether the event has all its requests now */
  private async record(event: TokenEvent): Promise<boolean> {
    const { log, now } = this.options;
    const { namespace, name, count, body } = event;
    const key = `${namespace}/${name}`;
    const before = this.counted.get(key);
    if (before !== undefined && before.count >= count) return true;
    try {
      await this.put(event, before !== undefined);
      this.counted.set(key, { count, at: now() });
      if (before === undefined) log({ event: 'recorded', name: key, message: body.message });
      return true;
    } catch (error) {
      // Nothing can be written any more where everything is being deleted.
      if (error instanceof Refused && (error.status === 404 || error.causes.includes('NamespaceTerminating')))
        return true;
      this.failed(`events cannot be written: ${messageOf(error)}`);
      return false;
    }
  }

  private async put({ namespace, name, isPartial, body }: TokenEvent, isWritten: boolean): Promise<void> {
    const { kubernetes } = this.options;
    if (!isWritten) {
      const isNew = await kubernetes.createEvent(namespace, body).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refused && error.status === 409) return false;
          throw error;
        },
      );
      // Who wrote it may have read the log from before its first line, which is gone by now.
      if (isNew || isPartial) return;
    }
    const { firstTimestamp, lastTimestamp, count } = body as Readonly<Record<string, unknown>>;
    await kubernetes.changeEvent(namespace, name, { firstTimestamp, lastTimestamp, count });
  }

  private failed(reason: string): void {
    this.ok = false;
    this.options.log({ event: 'failed', reason });
  }
}

/** The pods whose logs can be read. */
function nodePods(object: unknown): NodePod[] {
  const { metadata, spec, status } = fieldsOf(object);
  const { namespace, name, uid } = fieldsOf(metadata);
  const { containers } = fieldsOf(spec);
  const isNode =
    Array.isArray(containers) && containers.some((one) => fieldsOf(one).name === nodeComponentContainer);
  if (!isNode || fieldsOf(status).phase !== 'Running') return [];
  return [{ namespace: String(namespace), name: String(name), uid: String(uid) }];
}

function parseDocument(text: string): TokenEventsDocument {
  const document: unknown = JSON.parse(text);
  if (!isRecord(document) || typeof document.namespace !== 'string')
    throw new Error('the document has no `namespace`');
  return { namespace: document.namespace };
}
