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
  /** Reads the document with the namespace of the node component. */
  readonly read: () => Promise<string>;
  readonly kubernetes: Kubernetes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** The log of a node component, and the time from which its requests are recorded. */
interface NodeLog {
  readonly node: NodePod;
  readonly from: number;
  readonly log: ReadLog;
}

/** Characters of logs that are buffered before their events are written. The logs of all nodes would need too much memory. */
const mostBuffered = mostBytes / 2;

/** Requests sent in parallel. */
const parallel = 8;

/** Milliseconds for which Kubernetes keeps events. Older events are not written again. */
const kept = 60 * 60_000;

/** Maximum delay of the clock of a node, in milliseconds. */
const skew = 2 * 60_000;

/** Selects the node component's pods. */
const nodeComponent = `${nodeComponentLabel.key}=${nodeComponentLabel.value}`;

/**
 * Writes an event about the binding for each token that aad-pod-identity's node component issued or refused, from its log. It needs
 * no stored state: each run reads the last minutes of each log again, and writes only new events.
 */
export class TokenEvents extends Reconciling {
  private readonly state = new ClusterState();
  /** Time at which the log of each node component was last recorded without an error. */
  private readonly readAt = new Map<string, number>();
  /** Numbers of requests already counted, by event or by minute of a node. */
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
        `no pod of aad-pod-identity's node component runs in the namespace ${namespace}; if it is in another one, set \`podIdentity.namespace\` of the cluster to it`,
      );
    let buffer: NodeLog[] = [];
    let size = 0;
    for (const node of nodes) {
      const nodeLog = await this.readNode(node, started);
      if (nodeLog === undefined) continue;
      buffer.push(nodeLog);
      size += nodeLog.log.size;
      if (size < mostBuffered) continue;
      await this.writeLogs(buffer, started);
      [buffer, size] = [[], 0];
    }
    await this.writeLogs(buffer, started);
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

  private async writeLogs(nodeLogs: readonly NodeLog[], started: number): Promise<void> {
    // Listed after the logs were read: it then has every existing pod in them.
    await this.updateState();
    for (const nodeLog of nodeLogs) if (await this.write(nodeLog)) this.readAt.set(nodeLog.node.uid, started);
  }

  /** The time from which the log of the node component is read. */
  private from({ uid }: NodePod, now: number): number {
    const last = this.readAt.get(uid);
    return Math.max(now - kept, last === undefined ? 0 : last - skew - 60_000);
  }

  private async updateState(): Promise<void> {
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

  /** @returns whether all events were written */
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
        return events.map((event) => limited(() => this.record(event)));
      }),
    );
    return written.every(Boolean);
  }

  /** @returns whether the event now has all its requests */
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
      // A namespace that is being deleted accepts no events.
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
      // The existing event may count requests from lines that the log no longer has.
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
    Array.isArray(containers) &&
    containers.some((container) => fieldsOf(container).name === nodeComponentContainer);
  if (!isNode || fieldsOf(status).phase !== 'Running') return [];
  return [{ namespace: String(namespace), name: String(name), uid: String(uid) }];
}

function parseDocument(text: string): TokenEventsDocument {
  const document: unknown = JSON.parse(text);
  if (!isRecord(document) || typeof document.namespace !== 'string')
    throw new Error('the document has no `namespace`');
  return { namespace: document.namespace };
}
