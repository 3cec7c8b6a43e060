import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container, ContainerStatus, Pod, RestartPolicy } from '../api/types';
import type { RoutablePod } from '../egress/resolve';
import { imageRepository } from '../imageReference';
import type { ContainerProcess, ProcessPod } from '../kubelet/pods';
import { prefixed, reason } from '../../logger';
import type { RunOptions } from '../process/run';
import { ContainerRunner } from './containerRunner';
import { markEnded } from './containerStatus';
import type { AgentContext } from './context';
import { keepPublished } from './csi/republish';
import { CsiVolumes, MountError } from './csi/volumes';
import { deletePod } from './deletePod';
import { PodEvents } from './events';
import type { PodAddress } from './fields';
import { findProgram, launchOptions, podLogFile } from './launch';
import { NodeFiles } from './nodeFiles';
import { podPhase, podStatus } from './podStatus';
import type { PodView } from './podStatus';
import { PortMap } from './portMap';
import type { SourceKind } from './sources';
import { MissingSource } from './sources';
import { SourceWait } from './sourceWait';
import { StatusWriter } from './statusWriter';
import { PodTokens } from './tokens';
import { PodVolumes } from './volumes';

/**
 * Shortest and longest pause between mount attempts, in milliseconds. A kubelet starts with the same pause, but waits up
 * to 2 minutes.
 */
const firstMountPauseMs = 500;
const longestMountPauseMs = 10_000;

/** Runs one pod as processes, from its creation to its deletion. */
export class PodRunner implements RoutablePod, ProcessPod {
  readonly ip: string;
  /** True if it was ready when an earlier run of the daemon stopped. */
  readonly wasReady: boolean;
  private readonly folder: string;
  private readonly address: PodAddress;
  private readonly startTime: string;
  private readonly containers: ContainerRunner[];
  private readonly initContainers: ContainerRunner[];
  private readonly volumes: PodVolumes;
  private mounting: Promise<void> | undefined;
  private readonly csi: CsiVolumes;
  private readonly events: PodEvents;
  private readonly tokens: PodTokens;
  private readonly statusWriter: StatusWriter;
  /** Aborted when nothing may be started any more. */
  private readonly ending = new AbortController();
  private readonly sources = new SourceWait(this.ending.signal);
  /** Aborted when no status may be written any more. */
  private readonly closing = new AbortController();
  private readonly logger;
  private ports: PortMap | undefined;
  private running: Promise<void> | undefined;
  private termination: Promise<void> | undefined;
  private restartPolicy: RestartPolicy;

  constructor(
    public pod: Pod,
    private readonly context: AgentContext,
  ) {
    const { metadata, spec, status } = pod;
    this.logger = prefixed(context.logger, `pod ${metadata.namespace}/${metadata.name}`);
    this.restartPolicy = spec.restartPolicy ?? 'Always';
    this.wasReady = status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;
    this.ip = context.addresses.take(metadata.uid, status?.podIP);
    this.address = { podIp: this.ip, hostIp: context.nodeIp };
    this.startTime = status?.startTime ?? new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    this.folder = path.join(context.paths.pods, metadata.uid);
    this.tokens = new PodTokens(pod, context.client, this.logger, context.renewTokensAt, () =>
      this.refreshVolumes(),
    );
    this.events = new PodEvents(context.client, this.logger);
    const { client, csiDrivers, sources } = context;
    this.csi = new CsiVolumes(this.folder, client, csiDrivers, sources, this.tokens);
    this.volumes = new PodVolumes(
      path.join(this.folder, 'volumes'),
      sources,
      this.tokens,
      this.csi,
      this.address,
      new NodeFiles(context.paths.node),
    );
    this.containers = spec.containers.map((container) =>
      this.runner(container, this.restartPolicy, status?.containerStatuses),
    );
    this.initContainers = (spec.initContainers ?? []).map((container) =>
      this.runner(
        container,
        // An init container of a pod with restart policy Always is restarted until it succeeds.
        container.restartPolicy === 'Always'
          ? 'Always'
          : this.restartPolicy === 'Never'
            ? 'Never'
            : 'OnFailure',
        status?.initContainerStatuses,
      ),
    );
    this.statusWriter = new StatusWriter(
      context.client,
      { namespace: metadata.namespace, name: metadata.name, uid: metadata.uid },
      () => podStatus(this.view(), new Date().toISOString().replace(/\.\d+Z$/, 'Z')),
      this.closing.signal,
      this.logger,
    );
  }

  private get all(): readonly ContainerRunner[] {
    return [...this.initContainers, ...this.containers];
  }

  get ready(): boolean {
    return !this.ending.signal.aborted && this.containers.every(({ view }) => view.ready);
  }

  hostPort(containerPort: number | string): number | undefined {
    return this.ports?.hostPort(containerPort);
  }

  hostPorts(): Record<number, number> {
    return this.ports?.byContainerPort() ?? {};
  }

  container(name: string): ContainerProcess | undefined {
    const specs = [...(this.pod.spec.initContainers ?? []), ...this.pod.spec.containers];
    const container = specs.find((candidate) => candidate.name === name);
    const runner = this.all.find(({ view }) => view.name === name);
    if (!container || !runner || !this.context.images[imageRepository(container.image)]) return undefined;
    const logFile = podLogFile(this.context, this.pod, container);
    return {
      logFile,
      previousLogFile: () => runner.previousLog(logFile),
      get run() {
        return runner.view.state.running && runner.view.restartCount;
      },
      get waitingFor() {
        const { state, lastState, restartCount } = runner.view;
        return restartCount === 0 && !lastState ? state.waiting?.reason : undefined;
      },
    };
  }

  processes(): { container: string; pid: number; restarts: number }[] {
    return this.all.flatMap(({ view, pid }) =>
      pid === undefined ? [] : [{ container: view.name, pid, restarts: view.restartCount }],
    );
  }

  start(): void {
    const phase = this.pod.status?.phase;
    if (this.pod.metadata.deletionTimestamp) this.update(this.pod);
    else if (phase !== 'Succeeded' && phase !== 'Failed') this.running = this.run();
  }

  /** Accepts a newer version of the pod. */
  update(pod: Pod): void {
    this.pod = pod;
    const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    if (deletionTimestamp) this.termination ??= this.terminate((deletionGracePeriodSeconds ?? 30) * 1000);
    else if (this.running) this.refreshVolumes();
  }

  sourceChanged(kind: SourceKind, namespace: string): void {
    if (namespace !== this.pod.metadata.namespace || !this.running) return;
    this.sources.changed();
    this.refreshVolumes();
  }

  /** Stops the processes but does not change the pod: the daemon stops, or the pod is already deleted. */
  async close(graceMs: number): Promise<void> {
    this.closing.abort();
    await this.end(graceMs);
    await this.termination?.catch(() => undefined);
  }

  /** Removes everything of a deleted pod from the host except its logs. */
  async discard(): Promise<void> {
    await this.close(0);
    await this.unmount();
    await rm(this.folder, { recursive: true, force: true });
    this.context.addresses.release(this.ip);
  }

  private runner(
    container: Container,
    restartPolicy: RestartPolicy,
    statuses: ContainerStatus[] | undefined,
  ): ContainerRunner {
    const entry = this.context.images[imageRepository(container.image)];
    const isInit = this.pod.spec.initContainers?.includes(container) ?? false;
    const ofJob = this.pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') ?? false;
    return new ContainerRunner({
      container,
      restartPolicy,
      ports: { hostPort: (port) => this.hostPort(port) },
      launch: entry && (() => this.launch(container)),
      restartsItself: entry?.restartsItself ?? false,
      completesAtOnce: ofJob || (isInit && container.restartPolicy !== 'Always'),
      before: statuses?.find(({ name }) => name === container.name),
      onChange: () => this.report(),
      record: (event) => void this.events.record(this.pod, event),
      warn: (message) => this.logger.warn(message),
    });
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    try {
      this.report();
      const specs = [...(this.pod.spec.initContainers ?? []), ...this.pod.spec.containers];
      const extra = specs.flatMap(({ image }) => this.context.images[imageRepository(image)]?.ports ?? []);
      this.ports = await PortMap.allocate(specs, extra);
      await this.untilCreatable(() => this.volumes.write(this.pod));
      // Volumes are mounted before variables are resolved, because a driver may create the Secret of a variable.
      await this.untilMounted();
      if (this.pod.spec.volumes?.some(({ csi }) => csi !== undefined)) {
        const failed = (error: unknown) => this.notMountedAgain(error);
        this.mounting = keepPublished(() => this.csi.republish(this.pod), failed, signal);
      }
      const sidecars: Promise<void>[] = [];
      for (const [index, runner] of this.initContainers.entries()) {
        if (signal.aborted) return;
        if (this.pod.spec.initContainers?.[index]?.restartPolicy === 'Always')
          sidecars.push(runner.run(signal));
        else await runner.run(signal);
        if (podPhase(this.view()) === 'Failed') return;
      }
      await Promise.all(this.containers.map((runner) => runner.run(signal)));
      if (!signal.aborted) await Promise.all(this.initContainers.map((runner) => runner.stop(5000)));
    } catch (error) {
      if (signal.aborted) return;
      this.logger.error(reason(error));
      for (const runner of this.containers) runner.wait('CreateContainerError', reason(error));
    }
  }

  private async launch(container: Container): Promise<RunOptions> {
    const runners = this.all.filter(({ view }) => view.name === container.name);
    return await this.sources.untilPresent(
      async () => {
        const entry = this.context.images[imageRepository(container.image)];
        if (!entry || !this.ports)
          throw new Error(`the local cloud has no program for image ${container.image}`);
        const { pod, address, folder, volumes, ports } = this;
        const program = await findProgram(entry, this.ending.signal);
        return launchOptions(
          { pod, container, entry, address, folder, volumes, ports, program },
          this.context,
        );
      },
      'CreateContainerConfigError',
      runners,
    );
  }

  private untilCreatable(action: () => Promise<void>): Promise<void> {
    return this.sources.untilPresent(action, 'ContainerCreating', this.containers);
  }

  /** Mounts the CSI volumes; retries after growing pauses, and reports failures in the pod's events. */
  private async untilMounted(): Promise<void> {
    for (let pause = firstMountPauseMs; ; pause = Math.min(pause * 2, longestMountPauseMs)) {
      try {
        await this.untilCreatable(() => this.csi.publish(this.pod));
        return;
      } catch (error) {
        if (!(error instanceof MountError) || this.ending.signal.aborted) throw error;
        const { message } = error;
        await this.events.record(this.pod, { type: 'Warning', reason: 'FailedMount', message });
        await delay(pause, undefined, { signal: this.ending.signal });
      }
    }
  }

  /** Reports a failed republication. The volume's files stay, as with a kubelet. */
  private async notMountedAgain(error: unknown): Promise<void> {
    const message = reason(error);
    if (error instanceof MountError)
      await this.events.record(this.pod, { type: 'Warning', reason: 'FailedMount', message });
    else this.logger.warn(`volumes were not mounted again: ${message}`);
  }

  private refreshVolumes(): void {
    if (this.ending.signal.aborted) return;
    this.volumes.write(this.pod).catch((error: unknown) => {
      // Files of a deleted object stay unchanged, as with a kubelet.
      if (!(error instanceof MissingSource)) this.logger.warn(`volumes are not up to date: ${reason(error)}`);
    });
  }

  private report(): void {
    void this.statusWriter.write();
  }

  private view(): PodView {
    const { spec, status } = this.pod;
    return {
      containers: this.containers.map(({ view }) => view),
      initContainers: this.initContainers.map(({ view }) => view),
      initSpecs: spec.initContainers ?? [],
      restartPolicy: this.restartPolicy,
      readinessGates: (spec.readinessGates ?? []).map(({ conditionType }) => conditionType),
      address: this.address,
      startTime: this.startTime,
      conditions: status?.conditions ?? [],
    };
  }

  private async end(graceMs: number): Promise<void> {
    this.ending.abort();
    this.sources.changed();
    this.tokens.close();
    await Promise.all(this.containers.map((runner) => runner.stop(graceMs)));
    await Promise.all(this.initContainers.map((runner) => runner.stop(graceMs)));
    await this.running;
    await this.mounting;
    await this.volumes.settled();
    this.ports?.release();
  }

  /** Deletes the pod as a kubelet does: stops its containers, reports their end, then deletes the object. */
  private async terminate(graceMs: number): Promise<void> {
    const finished = this.running === undefined;
    await this.end(graceMs);
    if (!finished) {
      this.restartPolicy = 'Never';
      for (const { view } of this.all) markEnded(view);
      await this.statusWriter.write();
    }
    await this.unmount();
    await deletePod(this.pod, this.context.client, this.closing.signal);
  }

  /** Unmounts the CSI volumes. Logs errors only: a missing driver must not prevent the deletion of the pod. */
  private async unmount(): Promise<void> {
    await this.csi.unpublish().catch((error: unknown) => this.logger.warn(reason(error)));
  }
}
