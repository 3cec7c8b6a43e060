import { Reflector } from '../api/reflector';
import type { Pod, Service } from '../api/types';
import type { EgressTarget } from '../egress/proxy';
import { resolveAddress } from '../egress/resolve';
import { imageRepository } from '../imageReference';
import type { AgentContext } from './context';
import { PodAddresses } from './podAddresses';
import { PodRunner } from './podRunner';
import { Sources } from './sources';

/** Milliseconds between SIGTERM and SIGKILL when the daemon stops. Short, because no client needs the pods to drain. */
const stopGraceMs = 3000;

export interface PodProcess {
  namespace: string;
  pod: string;
  container: string;
  pid: number;
  restarts: number;
  ready: boolean;
  /** Loopback port of each container port. */
  ports: Record<number, number>;
}

/** The kubelet of a cluster's only node, for pods whose images run as processes (see images.ts). */
export class Agent {
  private readonly runners = new Map<string, PodRunner>();
  private readonly pods: Reflector<Pod>;
  private readonly services: Reflector<Service>;
  private readonly context: AgentContext;
  private readonly discarding = new Set<Promise<void>>();
  private stopped = false;

  constructor(options: Omit<AgentContext, 'addresses' | 'sources'> & { nodeName: string }) {
    const { client, logger, nodeName } = options;
    const sources = new Sources(client, logger, (kind, namespace) => {
      for (const runner of this.runners.values()) runner.sourceChanged(kind, namespace);
    });
    this.context = { ...options, addresses: new PodAddresses(), sources };
    this.pods = new Reflector<Pod>(client, logger, {
      path: '/api/v1/pods',
      fieldSelector: `spec.nodeName=${nodeName}`,
      onChange: (pod) => this.seen(pod),
      onRemove: (pod) => this.gone(pod),
    });
    this.services = new Reflector<Service>(client, logger, { path: '/api/v1/services' });
  }

  /** Resolves when the agent has taken over all existing pods. */
  async start(): Promise<void> {
    await Promise.all([this.services.start(), this.context.sources.start()]);
    await this.pods.start();
  }

  /** Stops all processes. The pods stay, and the next start takes them over. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.pods.stop(), this.services.stop(), this.context.sources.stop()]);
    await Promise.all([...this.runners.values()].map((runner) => runner.close(stopGraceMs)));
    await Promise.all(this.discarding);
  }

  /** Returns the target of a connection from the API server to an address in the cluster's network. */
  resolve(host: string, port: number): EgressTarget {
    return resolveAddress(host, port, this.services.values(), [...this.runners.values()]);
  }

  /** Returns the loopback port for a port of a running container of an image; undefined if none runs. */
  portOf(repository: string, port: number): number | undefined {
    return [...this.runners.values()]
      .find(
        ({ pod, ready }) =>
          ready && pod.spec.containers.some(({ image }) => imageRepository(image) === repository),
      )
      ?.hostPort(port);
  }

  findPod(namespace: string, name: string): PodRunner | 'simulated' | undefined {
    const pod = this.pods.get(namespace, name);
    return pod && (this.runners.get(pod.metadata.uid) ?? 'simulated');
  }

  podUids(): ReadonlySet<string> {
    return new Set(this.runners.keys());
  }

  processes(): PodProcess[] {
    return [...this.runners.values()].flatMap((runner) => {
      const { namespace, name } = runner.pod.metadata;
      const shared = { namespace, pod: name, ready: runner.ready, ports: runner.hostPorts() };
      return runner.processes().map((process) => ({ ...shared, ...process }));
    });
  }

  /**
   * Returns the names of pods that were ready when the agent stopped and are not ready again yet, without those that are
   * not restarted.
   */
  unreadyPods(): string[] {
    return [...this.runners.values()]
      .filter(({ wasReady, ready, pod }) => wasReady && !ready && pod.spec.restartPolicy !== 'Never')
      .map(({ pod: { metadata } }) => `${metadata.namespace}/${metadata.name}`);
  }

  private seen(pod: Pod): void {
    if (this.stopped || !this.plays(pod)) return;
    const known = this.runners.get(pod.metadata.uid);
    if (known) {
      known.update(pod);
      return;
    }
    const runner = new PodRunner(pod, this.context);
    this.runners.set(pod.metadata.uid, runner);
    runner.start();
  }

  private gone(pod: Pod): void {
    const runner = this.runners.get(pod.metadata.uid);
    if (!runner) return;
    this.runners.delete(pod.metadata.uid);
    const discarding = runner.discard().finally(() => this.discarding.delete(discarding));
    this.discarding.add(discarding);
  }

  private plays(pod: Pod): boolean {
    return pod.spec.containers.some(({ image }) =>
      Object.hasOwn(this.context.images, imageRepository(image)),
    );
  }
}
