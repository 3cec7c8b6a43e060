import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { ResourceProviderClient } from '@pulumi/pulumi/proto/provider_grpc_pb';
import * as messages from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import { decode, encode } from '../../../../../plugins/protocol/structs';
import type { Properties } from '../../../../../plugins/protocol';

const projectRoot = path.resolve(__dirname, '../../../../../..');

/** The plugin's bundle, as in `make up`. */
export const pluginBundle = path.join(projectRoot, 'dist', 'pulumi-resource-kubernetes.cjs');

/** A failed operation, as the engine sees it. */
export class OperationFailure extends Error {
  constructor(
    message: string,
    /** Set if the resource exists nevertheless. */
    readonly partial: { id: string; state: Properties; inputs: Properties; reasons: string[] } | undefined,
  ) {
    super(message);
  }
}

export interface Recorded {
  id: string;
  inputs: Properties;
  state: Properties;
}

/** The plugin's process, with the engine's requests. */
export class Plugin {
  private constructor(
    private readonly process: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {}

  static async start(env: Record<string, string>, workingFolder: string): Promise<Plugin> {
    const child = spawn(process.execPath, [pluginBundle], {
      cwd: workingFolder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
      child.once('exit', (code) => reject(new Error(`the plugin ended with ${String(code)}`)));
    });
    return new Plugin(
      child,
      new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure()),
    );
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  async configure(config: Properties): Promise<void> {
    const request = new messages.ConfigureRequest();
    request.setArgs(encode(config));
    request.setAcceptsecrets(true);
    await this.call((done) => this.client.configure(request, done));
  }

  async checkConfig(news: Properties): Promise<Record<string, string>> {
    const request = new messages.CheckRequest();
    request.setNews(encode(news));
    const response = await this.call<messages.CheckResponse>((done) =>
      this.client.checkConfig(request, done),
    );
    return failuresOf(response);
  }

  async check(urn: string, news: Properties, olds: Properties = {}): Promise<Properties> {
    const { inputs, failures } = await this.tryCheck(urn, news, olds);
    if (Object.keys(failures).length > 0) throw new Error(JSON.stringify(failures));
    return inputs;
  }

  async tryCheck(
    urn: string,
    news: Properties,
    olds: Properties = {},
  ): Promise<{ inputs: Properties; failures: Record<string, string> }> {
    const request = new messages.CheckRequest();
    request.setUrn(urn);
    request.setNews(encode(news));
    request.setOlds(encode(olds));
    request.setRandomseed(new Uint8Array([1, 2, 3]));
    const response = await this.call<messages.CheckResponse>((done) => this.client.check(request, done));
    return { inputs: decode(response.getInputs()), failures: failuresOf(response) };
  }

  async diff(urn: string, old: Recorded, news: Properties): Promise<messages.DiffResponse> {
    const request = new messages.DiffRequest();
    request.setUrn(urn);
    request.setId(old.id);
    request.setOlds(encode(old.state));
    request.setOldInputs(encode(old.inputs));
    request.setNews(encode(news));
    return this.call<messages.DiffResponse>((done) => this.client.diff(request, done));
  }

  /** Checks and creates, as an update does. */
  async create(
    urn: string,
    news: Properties,
    options: { preview?: boolean; timeoutSeconds?: number } = {},
  ): Promise<Recorded> {
    const inputs = await this.check(urn, news);
    const request = new messages.CreateRequest();
    request.setUrn(urn);
    request.setProperties(encode(inputs));
    request.setPreview(options.preview ?? false);
    request.setTimeout(options.timeoutSeconds ?? 0);
    const response = await this.call<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: response.getId(), inputs, state: decode(response.getProperties()) };
  }

  async update(
    urn: string,
    old: Recorded,
    news: Properties,
    options: { preview?: boolean; timeoutSeconds?: number } = {},
  ): Promise<Recorded> {
    const inputs = await this.check(urn, news, old.inputs);
    const request = new messages.UpdateRequest();
    request.setUrn(urn);
    request.setId(old.id);
    request.setOlds(encode(old.state));
    request.setOldInputs(encode(old.inputs));
    request.setNews(encode(inputs));
    request.setPreview(options.preview ?? false);
    request.setTimeout(options.timeoutSeconds ?? 0);
    const response = await this.call<messages.UpdateResponse>((done) => this.client.update(request, done));
    return { id: old.id, inputs, state: decode(response.getProperties()) };
  }

  /** Undefined if the resource does not exist. */
  async read(
    urn: string,
    id: string,
    state: Properties = {},
    inputs: Properties = {},
  ): Promise<Recorded | undefined> {
    const request = new messages.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(encode(state));
    request.setInputs(encode(inputs));
    const response = await this.call<messages.ReadResponse>((done) => this.client.read(request, done));
    if (response.getId() === '') return undefined;
    return {
      id: response.getId(),
      state: decode(response.getProperties()),
      inputs: decode(response.getInputs()),
    };
  }

  async delete(urn: string, old: Recorded, timeoutSeconds = 0): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setUrn(urn);
    request.setId(old.id);
    request.setProperties(encode(old.state));
    request.setTimeout(timeoutSeconds);
    await this.call<Empty>((done) => this.client.delete(request, done));
  }

  async cancel(): Promise<void> {
    await this.call<Empty>((done) => this.client.cancel(new Empty(), done));
  }

  /** Stops the process. With SIGKILL it cannot clean up. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.client.close();
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill(signal);
    await ended;
  }

  private call<Response>(
    start: (done: (error: grpc.ServiceError | null, response: Response) => void) => unknown,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      start((error, response) => {
        if (error) reject(failureOf(error));
        else resolve(response);
      });
    });
  }
}

function failureOf(error: grpc.ServiceError): OperationFailure {
  const [packed] = error.metadata.get('grpc-status-details-bin');
  if (!Buffer.isBuffer(packed)) return new OperationFailure(error.details, undefined);
  const detail = Status.deserializeBinary(packed).getDetailsList()[0];
  const failure = messages.ErrorResourceInitFailed.deserializeBinary(
    detail?.getValue_asU8() ?? new Uint8Array(),
  );
  return new OperationFailure(error.details, {
    id: failure.getId(),
    state: decode(failure.getProperties()),
    inputs: decode(failure.getInputs()),
    reasons: failure.getReasonsList(),
  });
}

function failuresOf(response: messages.CheckResponse): Record<string, string> {
  return Object.fromEntries(
    response.getFailuresList().map((failure) => [failure.getProperty(), failure.getReason()]),
  );
}

/** The kind of change for each path in a diff, for example `UPDATE_REPLACE`. */
export function detailsOf(diff: messages.DiffResponse): Record<string, string> {
  const names = Object.entries(messages.PropertyDiff.Kind);
  const details: Record<string, string> = {};
  diff.getDetaileddiffMap().forEach((property, path) => {
    details[path] = names.find(([, kind]) => kind === property.getKind())?.[0] ?? 'unknown';
  });
  return details;
}

/** The URN of a resource in the test's stack. */
export function urn(type: string, name: string): string {
  return `urn:pulumi:local::plugin-test::${type}::${name}`;
}

/** The expected failure of the operation. */
export async function failureFrom(operation: Promise<unknown>): Promise<OperationFailure> {
  try {
    await operation;
  } catch (error) {
    if (error instanceof OperationFailure) return error;
    throw error;
  }
  throw new Error('the operation was expected to fail');
}
