import type { ClusterSpec } from '../../../azure/clusterRuntime';
import type { Client } from './client';
import { connect, until } from './client';
import type { TestRuntime } from './runtime';
import { clusterSpec, openRuntime } from './runtime';

/** One cluster for several suites, each with its own namespace. A restart replaces runtime and client. */
export class SharedCluster {
  private running: { test: TestRuntime; client: Client } | undefined;

  constructor(
    private readonly options: Parameters<typeof openRuntime>[0] = {},
    readonly spec: ClusterSpec = clusterSpec(),
  ) {}

  get test(): TestRuntime {
    return this.opened.test;
  }

  get client(): Client {
    return this.opened.client;
  }

  get status() {
    const [cluster] = this.test.runtime.status();
    if (!cluster) throw new Error('no cluster runs');
    return cluster;
  }

  async start(): Promise<void> {
    const test = openRuntime(this.options);
    try {
      await this.take(test);
    } catch (error) {
      await test.dispose();
      throw error;
    }
  }

  /**
   * Starts another local cloud with the cluster's state. The previous one must be closed.
   *
   * @returns messages of the new one
   */
  async resume(changes: Partial<ClusterSpec> = {}): Promise<string[]> {
    const next = openRuntime({ ...this.options, stateDir: this.test.stateDir });
    await this.take(next, changes);
    return next.messages;
  }

  /** Creates a namespace and waits for its service account, without which pods cannot be created. */
  async namespace(name: string): Promise<void> {
    const { core } = this.client;
    await core.createNamespace({ body: { metadata: { name } } });
    await until(`the account of ${name}`, () =>
      core.readNamespacedServiceAccount({ namespace: name, name: 'default' }),
    );
  }

  async dispose(): Promise<void> {
    await this.running?.test.dispose();
  }

  private get opened() {
    if (this.running === undefined) throw new Error('the cluster was not started');
    return this.running;
  }

  private async take(test: TestRuntime, changes: Partial<ClusterSpec> = {}): Promise<void> {
    await test.runtime.ensure({ ...this.spec, ...changes });
    this.running = { test, client: await connect(test.runtime, this.spec) };
  }
}
