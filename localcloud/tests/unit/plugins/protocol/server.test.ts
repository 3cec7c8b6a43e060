import * as grpc from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { ResourceProviderClient } from '@pulumi/pulumi/proto/provider_grpc_pb';
import {
  CallRequest,
  type CallResponse,
  type CheckResponse,
  type ConfigureResponse,
  type CreateResponse,
  type DiffResponse,
  type ReadResponse,
  CheckRequest,
  ConfigureRequest,
  CreateRequest,
  DiffRequest,
  ErrorResourceInitFailed,
  ReadRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import type { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import {
  PartialFailure,
  Secret,
  unknown,
  type Properties,
  type ProviderImplementation,
} from '../../../../plugins/protocol';
import { Calls } from '../../../../plugins/protocol/calls';
import { EngineLog } from '../../../../plugins/protocol/engineLog';
import { startServer } from '../../../../plugins/protocol/serve';
import { decode, encode } from '../../../../plugins/protocol/structs';

const urn = 'urn:pulumi:dev::project::parent:x:Y$test:index:Thing::a::b';

function implementation(overrides: Partial<ProviderImplementation>): ProviderImplementation {
  const refuse = (): never => {
    throw new Error('not expected here');
  };
  return {
    name: 'test',
    version: '1.2.3',
    configure: () => Promise.resolve(),
    check: (_urn, _type, _olds, news) => Promise.resolve({ inputs: news, failures: [] }),
    diff: refuse,
    create: refuse,
    read: refuse,
    update: refuse,
    delete: refuse,
    invoke: refuse,
    ...overrides,
  };
}

let close: () => void = () => undefined;
let calls: Calls;

async function connect(overrides: Partial<ProviderImplementation>): Promise<ResourceProviderClient> {
  calls = new Calls(new EngineLog(undefined));
  const server = await startServer(implementation(overrides), calls);
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
  close = () => {
    client.close();
    server.close();
  };
  return client;
}

function call<Response>(
  send: (done: (error: grpc.ServiceError | null, response: Response) => void) => unknown,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    send((error, response) => (error ? reject(error) : resolve(response)));
  });
}

afterEach(() => close());

describe('the server', () => {
  it('reports its capabilities to the engine', async () => {
    const seen: Properties[] = [];
    const client = await connect({
      configure(config) {
        seen.push(config);
        return Promise.resolve();
      },
    });
    const request = new ConfigureRequest();
    request.setArgs(encode({ token: new Secret('t') }));

    const response = await call<ConfigureResponse>((done) => client.configure(request, done));
    const info = await call<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));

    expect(response.getSupportspreview()).toBe(true);
    expect(response.getAcceptsecrets()).toBe(true);
    expect(response.getAcceptresources()).toBe(false);
    expect(seen).toEqual([{ token: new Secret('t') }]);
    expect(info.getVersion()).toBe('1.2.3');
  });

  it('passes type, name and marks of a check, and its failures back', async () => {
    const seen: unknown[] = [];
    const client = await connect({
      check(...args) {
        seen.push(args);
        return Promise.resolve({ inputs: args[3], failures: [{ property: 'a', reason: 'no' }] });
      },
    });
    const request = new CheckRequest();
    request.setUrn(urn);
    request.setNews(encode({ secret: new Secret('s'), later: unknown }));

    const response = await call<CheckResponse>((done) => client.check(request, done));

    const news = { secret: new Secret('s'), later: unknown };
    expect(seen).toEqual([
      [urn, 'test:index:Thing', {}, news, { name: 'a::b', randomSeed: new Uint8Array() }],
    ]);
    expect(decode(response.getInputs())).toEqual(news);
    expect(response.getFailuresList().map((failure) => failure.toObject())).toEqual([
      { property: 'a', reason: 'no' },
    ]);
  });

  it('passes a detailed difference', async () => {
    const client = await connect({
      diff: () =>
        Promise.resolve({
          changes: true,
          replaces: ['a'],
          diffs: ['a'],
          deleteBeforeReplace: true,
          detailed: { 'a.b': 'update-replace' },
        }),
    });
    const response = await call<DiffResponse>((done) => client.diff(new DiffRequest(), done));
    expect(response.toObject()).toMatchObject({
      changes: 2,
      replacesList: ['a'],
      deletebeforereplace: true,
      hasdetaileddiff: true,
    });
    expect(response.getDetaileddiffMap().get('a.b')?.toObject()).toEqual({ kind: 5, inputdiff: true });
  });

  it('reports a deleted resource with an empty id', async () => {
    const client = await connect({ read: () => Promise.resolve(undefined) });
    expect((await call<ReadResponse>((done) => client.read(new ReadRequest(), done))).getId()).toBe('');
  });

  it('reports a partially created resource', async () => {
    const client = await connect({
      create: () => Promise.reject(new PartialFailure('the-id', { half: new Secret(1) }, ['not ready'])),
    });
    const request = new CreateRequest();
    request.setProperties(encode({ location: 'x' }));

    const error = await call<CreateResponse>((done) => client.create(request, done)).catch(
      (reason: unknown) => reason as grpc.ServiceError,
    );

    const [details] = (error as grpc.ServiceError).metadata.get('grpc-status-details-bin');
    const [packed] = Status.deserializeBinary(new Uint8Array(details as Buffer)).getDetailsList();
    const failed = packed?.unpack(
      (bytes) => ErrorResourceInitFailed.deserializeBinary(bytes),
      'pulumirpc.ErrorResourceInitFailed',
    );
    expect(failed?.getId()).toBe('the-id');
    expect(failed?.getReasonsList()).toEqual(['not ready']);
    expect(decode(failed?.getProperties())).toEqual({ half: new Secret(1) });
    expect(decode(failed?.getInputs())).toEqual({ location: 'x' });
  });

  it('passes errors unchanged, thrown or rejected', async () => {
    const client = await connect({
      create: () => Promise.reject(new Error('the vault is taken')),
    });
    await expect(
      call<CreateResponse>((done) => client.create(new CreateRequest(), done)),
    ).rejects.toMatchObject({
      code: grpc.status.UNKNOWN,
      details: 'the vault is taken',
    });
    await expect(call<DiffResponse>((done) => client.diff(new DiffRequest(), done))).rejects.toMatchObject({
      details: 'not expected here',
    });
  });

  it('refuses unsupported operations by name', async () => {
    const client = await connect({});
    await expect(call<CallResponse>((done) => client.call(new CallRequest(), done))).rejects.toMatchObject({
      code: grpc.status.UNIMPLEMENTED,
      details: "Call is not part of the local cloud's test plugin",
    });
  });

  it('aborts running and later operations on Cancel', async () => {
    const started: AbortSignal[] = [];
    const client = await connect({
      create: (_urn, _type, _inputs, _options, { signal }) =>
        new Promise((_resolve, reject) => {
          started.push(signal);
          const stop = (): void => reject(Object.assign(new Error('stopped'), { name: 'AbortError' }));
          if (signal.aborted) stop();
          signal.addEventListener('abort', stop);
        }),
    });
    const running = call<CreateResponse>((done) => client.create(new CreateRequest(), done));
    running.catch(() => undefined);
    while (started.length === 0) await new Promise((resolve) => setImmediate(resolve));

    await call<Empty>((done) => client.cancel(new Empty(), done));

    await expect(running).rejects.toMatchObject({ code: grpc.status.CANCELLED, details: 'stopped' });
    await expect(
      call<CreateResponse>((done) => client.create(new CreateRequest(), done)),
    ).rejects.toMatchObject({
      code: grpc.status.CANCELLED,
    });
    expect(started[0]?.aborted).toBe(true);
  });
});
