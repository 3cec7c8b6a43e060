import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { specialSigKey } from '@pulumi/pulumi/runtime/rpc';
import { checkpointFile } from '../../localcloud/commands/backendFiles';
import { locateInstance } from '../../localcloud/daemon/instance';
import type { StackOutputs } from '../../stacks/outputs/outputs';
import { AzureClients } from './azureClients';
import { projectRoot, runCommand, type Finished } from './command';
import { loggedDrift, loggedSteps, previewSteps, type Steps } from './updateSteps';

export interface StackRequest {
  /** @default local */
  readonly stack?: string;
  /**
   * A stack file, relative to the project, for example a complete example.
   *
   * @default the last one of the stack, else Pulumi.<stack>.yaml
   */
  readonly file?: string;
  /** The text of a stack file, in place of `file`. Paths of charts in it are relative to the project. */
  readonly yaml?: string;
}

export interface Update {
  readonly output: string;
  readonly steps: Steps;
}

/** A check of the verification (`aks-wi verify --json`). */
export interface VerificationReport {
  readonly checks: {
    readonly cluster: string;
    readonly application: string;
    readonly check: string;
    readonly ok: boolean;
    readonly detail: string;
  }[];
  readonly passed: number;
  readonly failed: number;
}

/** Counts in a line such as `Resources: + 2 created  ~ 1 updated  43 unchanged`; 0 if missing. */
export interface ResourceCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly replaced: number;
  readonly unchanged: number;
}

/**
 * Returns a local cloud for the tests of one file, in its own state folder. It starts with the first command. Also call
 * `afterAll(() => cloud.clean())`.
 *
 * @param name name of the test file, which becomes part of the folder's name
 */
export function localCloud(name: string): LocalCloud {
  const parent = process.env.AKS_WI_TEST_STATES ?? path.join(projectRoot, '.state', 'tests');
  mkdirSync(parent, { recursive: true });
  return new LocalCloud(mkdtempSync(path.join(parent, `${name}-`)));
}

/** Suites whose stacks are compared with their settings. Together they have everything that gives access. */
const compared = [
  ...['access-windows', 'applications', 'audit', 'connections', 'dependencies', 'hosted-clusters'],
  ...['pipelines', 'pod-identity', 'revocation', 'roles', 'stored-credentials'],
];

export class LocalCloud {
  private updates = 0;
  /** Clients by cluster. Only a rotation changes the address and keys of a cluster. */
  private readonly clients = new Map<string, ReturnType<LocalCloud['connect']>>();

  /** @param state absolute path of the state folder */
  constructor(readonly state: string) {}

  /** Runs `aks-wi …` as a user would. Any exit code is allowed. */
  command(...args: string[]): Promise<Finished> {
    // Pulumi accepts --event-log only with this variable; `aks-wi up` sets it itself.
    return runCommand(args, { state: this.state, env: { PULUMI_DEBUG_COMMANDS: 'true' } });
  }

  /** Runs `aks-wi …` and returns its output. If it fails, throws an error with the end of the output. */
  async succeed(...args: string[]): Promise<string> {
    const result = await this.command(...args);
    if (result.code !== 0) {
      const end = result.stdout.split('\n').slice(-30).join('\n');
      throw new Error(`aks-wi ${args.join(' ')} ended with ${result.code}\n${end}\n${result.stderr}`);
    }
    return result.stdout;
  }

  /** Runs `aks-wi …`, which must fail, and returns its output. */
  async fail(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.command(...args);
    if (code === 0) throw new Error(`aks-wi ${args.join(' ')} succeeded, and should not have\n${stdout}`);
    return `${stdout}\n${stderr}`;
  }

  /** Starts the local Azure alone, so that a test can create resources before the first `up`. */
  async start(): Promise<void> {
    await this.succeed('cloud', 'start');
  }

  private readonly previewed = new Set<string>();

  /**
   * Runs `aks-wi up`, which deploys and verifies. Throws if it fails. The first update of a stack is previewed, as for a
   * user. Later ones are not, because a preview takes half the time of an update.
   */
  up(request: StackRequest = {}): Promise<Update> {
    const { stack = 'local' } = request;
    const options = this.previewed.has(stack) ? ['--skip-preview'] : [];
    this.previewed.add(stack);
    return this.update(request, ...options);
  }

  private readonly agreed = new Set<string>();

  /** Runs `aks-wi up --skip-preview --no-verify`, for tests that check something else. Throws if it fails. */
  async deploy(request: StackRequest = {}): Promise<Steps> {
    return (await this.update(request, '--skip-preview', '--no-verify')).steps;
  }

  /** Runs `aks-wi up`, which must fail, and returns its output. */
  refusedUp(request: StackRequest = {}): Promise<string> {
    return this.fail('up', ...this.stackArguments(request));
  }

  /** Runs `pulumi preview` with further arguments. The local cloud must be running. Throws if it fails. */
  async preview(request: StackRequest = {}, ...args: string[]): Promise<Steps> {
    return previewSteps(await this.pulumi(request, 'preview', '--json', ...args));
  }

  /**
   * Updates again after a refresh (`pulumi up --refresh`). Returns the changes of the update and the drift of the refresh:
   * nothing, if a second update changes nothing and there is no drift.
   */
  async changesOfSecondUpdate(request: StackRequest = {}): Promise<string[]> {
    return this.withEventLog(async (events) => {
      const options = ['--refresh', '--yes', '--skip-preview', '--event-log', events];
      await this.pulumi(request, 'up', ...options);
      return [...loggedSteps(events).summary, ...loggedDrift(events)];
    });
  }

  /** Runs `pulumi destroy` on the whole stack. The local cloud keeps running. */
  async destroy(request: StackRequest = {}): Promise<string> {
    return this.pulumi(request, 'destroy', '--yes', '--skip-preview');
  }

  /** Runs a pulumi command on the stack, which must succeed, and returns its output. */
  pulumi(request: StackRequest, ...args: string[]): Promise<string> {
    return this.succeed('pulumi', ...this.stackArguments(request), ...args, '--non-interactive');
  }

  /** Runs `pulumi config set --secret`, with a value that must not be in a command line. */
  async setSecret(request: StackRequest, key: string, value: string): Promise<void> {
    const args = ['pulumi', ...this.stackArguments(request), 'config', 'set', '--secret', '--path', key];
    const { code, stderr } = await runCommand(args, { state: this.state, input: value });
    if (code !== 0) throw new Error(`aks-wi ${args.join(' ')} ended with ${code}\n${stderr}`);
  }

  /** Returns the stack's outputs from its state, with masked kubeconfigs. A pulumi command would take a second each time. */
  outputs(stack = 'local'): Promise<StackOutputs> {
    const root = this.recorded(stack).find(({ type }) => type === 'pulumi:pulumi:Stack');
    return Promise.resolve(masked(root?.outputs ?? {}) as StackOutputs);
  }

  /** Returns the URNs in the stack's state. */
  urns(stack = 'local'): Promise<string[]> {
    return Promise.resolve(this.recorded(stack).map(({ urn }) => urn));
  }

  /** Runs `aks-wi verify`, and returns its exit code and report. */
  async verify(stack = 'local'): Promise<{ code: number; report: VerificationReport }> {
    const { code, stdout, stderr } = await this.command('verify', '--stack', stack, '--json');
    if (!stdout.startsWith('{')) throw new Error(`verify gave no report\n${stdout}\n${stderr}`);
    return { code, report: JSON.parse(stdout) as VerificationReport };
  }

  /** Returns the vendors' clients as the local cloud's administrator. The local cloud must be running. */
  async azure(): Promise<AzureClients> {
    const variables = JSON.parse(await this.succeed('cloud', 'env', '--json')) as Record<string, string>;
    const value = (name: string): string => {
      const found = variables[name];
      if (found === undefined) throw new Error(`cloud env gives no ${name}`);
      return found;
    };
    return new AzureClients({
      tenantId: value('AZURE_TENANT_ID'),
      subscriptionId: value('AZURE_SUBSCRIPTION_ID'),
      clientId: value('AZURE_CLIENT_ID'),
      clientSecret: value('AZURE_CLIENT_SECRET'),
      proxyPort: Number(new URL(value('HTTPS_PROXY')).port),
      caFile: value('NODE_EXTRA_CA_CERTS'),
    });
  }

  /**
   * Returns the official Kubernetes clients for a managed cluster, as its administrator.
   *
   * @param resourceGroup needed only if several clusters have this name
   */
  kubernetes(cluster: string, resourceGroup?: string): ReturnType<LocalCloud['connect']> {
    const key = `${resourceGroup ?? ''}/${cluster}`;
    const clients = this.clients.get(key) ?? this.connect(cluster, resourceGroup);
    this.clients.set(key, clients);
    return clients;
  }

  /** Drops all Kubernetes clients, which a rotation of certificates makes useless. */
  forgetKubeconfigs(): void {
    this.clients.clear();
  }

  private async connect(cluster: string, resourceGroup?: string) {
    const group = resourceGroup === undefined ? [] : ['--resource-group', resourceGroup];
    const kubeconfig = await this.succeed('cloud', 'kubeconfig', cluster, ...group);
    const library = await import('@kubernetes/client-node');
    const config = new library.KubeConfig();
    config.loadFromFile(kubeconfig.trim());
    return {
      config,
      core: config.makeApiClient(library.CoreV1Api),
      apps: config.makeApiClient(library.AppsV1Api),
      rbac: config.makeApiClient(library.RbacAuthorizationV1Api),
      custom: config.makeApiClient(library.CustomObjectsApi),
      objects: library.KubernetesObjectApi.makeApiClient(config),
    };
  }

  /** Stops everything and deletes the state folder. */
  async clean(): Promise<void> {
    try {
      await this.succeed('clean', '--yes');
    } finally {
      rmSync(this.state, { recursive: true, force: true });
    }
  }

  private recorded(stack: string): Recorded[] {
    const file = checkpointFile(locateInstance(projectRoot, { AKS_WI_STATE: this.state }), stack);
    const { checkpoint } = JSON.parse(readFileSync(file, 'utf8')) as {
      checkpoint: { latest?: { resources?: Recorded[] } };
    };
    return checkpoint.latest?.resources ?? [];
  }

  private async update(request: StackRequest, ...options: string[]): Promise<Update> {
    return this.withEventLog(async (events) => {
      const args = [...this.stackArguments(request), '--event-log', events, ...options];
      const output = await this.succeed('up', ...args);
      await this.agree(request);
      return { output, steps: loggedSteps(events) };
    });
  }

  /** Checks, once for each stack of the compared suites, that its settings give the same access as its state. */
  private async agree({ stack = 'local' }: StackRequest): Promise<void> {
    const isCompared = compared.some((name) => path.basename(this.state).startsWith(`${name}-`));
    if (!isCompared || this.agreed.has(stack)) return;
    this.agreed.add(stack);
    // This stack file has the values that each machine sets itself.
    const settings = path.relative(projectRoot, path.join(this.state, 'local', `Pulumi.${stack}.yaml`));
    const { changes } = JSON.parse(await this.succeed('access', '--diff', stack, settings, '--json')) as {
      changes: { who: string[] }[];
    };
    // Encrypted values cannot be compared.
    const differing = changes.filter(
      ({ who }) => !who.every((reader) => reader.startsWith('kubeconfig of ')),
    );
    if (differing.length > 0)
      throw new Error(`${settings} and the state of ${stack} differ: ${JSON.stringify(differing, null, 2)}`);
  }

  private async withEventLog<T>(run: (events: string) => Promise<T>): Promise<T> {
    this.updates += 1;
    const events = path.join(this.state, `events-${this.updates}.jsonl`);
    try {
      return await run(events);
    } finally {
      rmSync(events, { force: true });
    }
  }

  private stackArguments({ stack = 'local', file, yaml }: StackRequest): string[] {
    const stackFile = yaml === undefined ? file : this.write(stack, yaml);
    return ['--stack', stack, ...(stackFile === undefined ? [] : ['--stack-file', stackFile])];
  }

  private write(stack: string, yaml: string): string {
    const file = path.join(this.state, `Pulumi.${stack}.yaml`);
    writeFileSync(file, yaml);
    return path.relative(projectRoot, file);
  }
}

/** A resource in the state of a stack. */
interface Recorded {
  readonly urn: string;
  readonly type: string;
  readonly outputs?: unknown;
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  if (specialSigKey in value) return '[secret]';
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, masked(field)]));
}

/** Returns the last counts that pulumi printed. */
export function resourceCounts(output: string): ResourceCounts {
  const line = output.split(/^Resources:/m).at(-1) ?? '';
  const count = (...words: string[]): number => {
    const found = new RegExp(`(\\d+) (?:${words.join('|')})`).exec(line);
    return found === null ? 0 : Number(found[1]);
  };
  return {
    created: count('created', 'to create'),
    updated: count('updated', 'to update'),
    deleted: count('deleted', 'to delete'),
    replaced: count('replaced', 'to replace'),
    unchanged: count('unchanged'),
  };
}
