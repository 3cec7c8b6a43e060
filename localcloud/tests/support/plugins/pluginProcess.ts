import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { ResourceProviderClient } from '@pulumi/pulumi/proto/provider_grpc_pb';
import * as messages from '@pulumi/pulumi/proto/provider_pb';
import * as z from 'zod';
import { launcher } from '../../../commands/plugins';
import type { Properties } from '../../../plugins/protocol';
import { decode, encode } from '../../../plugins/protocol/structs';
import type { TestCloud } from '../azure';

const root = path.resolve(__dirname, '../../../..');

/** A plugin by the name of its package. */
export type PluginName = 'azure-native' | 'azuread' | 'kubernetes' | 'tls';

/** Installs a plugin as `make up` does, as one file where the engine looks for it. @returns the executable */
export function installPlugin(folder: string, plugin: PluginName = 'azure-native'): string {
  const home = path.join(folder, 'plugins', `resource-${plugin}-v${packageVersion(plugin)}`);
  mkdirSync(home, { recursive: true });
  const executable = path.join(home, `pulumi-resource-${plugin}`);
  const bundle = path.join(root, 'dist', `pulumi-resource-${plugin}.cjs`);
  writeFileSync(executable, launcher(process.execPath, bundle));
  chmodSync(executable, 0o755);
  return executable;
}

function packageVersion(plugin: PluginName): string {
  const manifest: unknown = JSON.parse(
    readFileSync(require.resolve(`@pulumi/${plugin}/package.json`), 'utf8'),
  );
  return z.object({ version: z.string() }).parse(manifest).version;
}

/** The configured plugin as a process, which stops before the cloud does. */
export async function startPlugin(cloud: TestCloud, name?: PluginName): Promise<PluginProcess> {
  const plugin = await PluginProcess.start(installPlugin(cloud.stateDir, name), cloud.environment);
  cloud.stopBefore(() => plugin.stop());
  await plugin.configure({});
  return plugin;
}

type Done<Response> = (error: grpc.ServiceError | null, response: Response) => void;

function call<Response>(send: (done: Done<Response>) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    send((error, response) => (error ? reject(error) : resolve(response)));
  });
}

/** The plugin as a process, with the engine's requests. */
export class PluginProcess {
  private constructor(
    readonly process: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {}

  static async start(executable: string, environment: NodeJS.ProcessEnv): Promise<PluginProcess> {
    const child = spawn(executable, [], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    const port = Number(first.toString().trim());
    return new PluginProcess(
      child,
      new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure()),
    );
  }

  async configure(config: Properties): Promise<messages.ConfigureResponse> {
    const request = new messages.ConfigureRequest();
    request.setArgs(encode(config));
    return call<messages.ConfigureResponse>((done) => this.client.configure(request, done));
  }

  async check(type: string, news: Properties, olds: Properties = {}): Promise<Checked> {
    const request = new messages.CheckRequest();
    request.setUrn(urnOf(type));
    request.setType(type);
    request.setName('test');
    request.setOlds(encode(olds));
    request.setNews(encode(news));
    request.setRandomseed(new Uint8Array(randomBytes(32)));
    const response = await call<messages.CheckResponse>((done) => this.client.check(request, done));
    return {
      inputs: decode(response.getInputs()),
      failures: response.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async diff(
    type: string,
    id: string,
    state: Properties,
    olds: Properties,
    news: Properties,
  ): Promise<messages.DiffResponse.AsObject> {
    const request = new messages.DiffRequest();
    request.setUrn(urnOf(type));
    request.setId(id);
    request.setOlds(encode(state));
    request.setOldInputs(encode(olds));
    request.setNews(encode(news));
    return (await call<messages.DiffResponse>((done) => this.client.diff(request, done))).toObject();
  }

  async create(
    type: string,
    inputs: Properties,
    preview = false,
  ): Promise<{ id: string; state: Properties }> {
    const request = new messages.CreateRequest();
    request.setUrn(urnOf(type));
    request.setProperties(encode(inputs));
    request.setPreview(preview);
    const response = await call<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: response.getId(), state: decode(response.getProperties()) };
  }

  async read(
    type: string,
    id: string,
    state: Properties = {},
    inputs: Properties = {},
  ): Promise<{ id: string; state: Properties; inputs: Properties } | undefined> {
    const request = new messages.ReadRequest();
    request.setUrn(urnOf(type));
    request.setId(id);
    request.setProperties(encode(state));
    request.setInputs(encode(inputs));
    const response = await call<messages.ReadResponse>((done) => this.client.read(request, done));
    if (response.getId() === '') return undefined;
    return {
      id: response.getId(),
      state: decode(response.getProperties()),
      inputs: decode(response.getInputs()),
    };
  }

  async update(
    type: string,
    id: string,
    state: Properties,
    olds: Properties,
    news: Properties,
  ): Promise<Properties> {
    const request = new messages.UpdateRequest();
    request.setUrn(urnOf(type));
    request.setId(id);
    request.setOlds(encode(state));
    request.setOldInputs(encode(olds));
    request.setNews(encode(news));
    return decode(
      (await call<messages.UpdateResponse>((done) => this.client.update(request, done))).getProperties(),
    );
  }

  async delete(type: string, id: string, state: Properties): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setUrn(urnOf(type));
    request.setId(id);
    request.setProperties(encode(state));
    await call<Empty>((done) => this.client.delete(request, done));
  }

  async invoke(token: string, args: Properties): Promise<Properties> {
    const request = new messages.InvokeRequest();
    request.setTok(token);
    request.setArgs(encode(args));
    return decode(
      (await call<messages.InvokeResponse>((done) => this.client.invoke(request, done))).getReturn(),
    );
  }

  async cancel(): Promise<void> {
    await call<Empty>((done) => this.client.cancel(new Empty(), done));
  }

  /** Ends the process as the engine does. @returns its exit code */
  async stop(): Promise<number | null> {
    this.client.close();
    if (this.process.exitCode !== null) return this.process.exitCode;
    const ended = once(this.process, 'exit') as Promise<[number | null]>;
    this.process.kill('SIGTERM');
    return (await ended)[0];
  }
}

export interface Checked {
  inputs: Properties;
  failures: { property: string; reason: string }[];
}

function urnOf(type: string): string {
  return `urn:pulumi:test::project::${type}::test`;
}
