import type { handleUnaryCall } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import type { IResourceProviderServer } from '@pulumi/pulumi/proto/provider_grpc_pb';
import {
  type CheckResponse,
  ConfigureResponse,
  type DiffResponse,
  GetMappingResponse,
  GetMappingsResponse,
  GetSchemaResponse,
  ProviderHandshakeResponse,
} from '@pulumi/pulumi/proto/provider_pb';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import type { Calls } from './calls';
import { Unsupported } from './errors';
import { checkResponse, diffResponse } from './responses';
import type { ProviderImplementation } from './provider';
import { decode } from './structs';
import type { Properties } from './values';

type Lifecycle = Pick<
  IResourceProviderServer,
  | 'handshake'
  | 'attach'
  | 'cancel'
  | 'getPluginInfo'
  | 'getSchema'
  | 'getMapping'
  | 'getMappings'
  | 'parameterize'
  | 'checkConfig'
  | 'diffConfig'
  | 'configure'
>;

/** Returns the handlers for the plugin as a whole. */
export function lifecycleHandlers(provider: ProviderImplementation, calls: Calls): Lifecycle {
  return {
    handshake: calls.unary((request) => {
      calls.log.attach(request.getEngineAddress());
      // References arrive as plain ids, and outputs as plain, secret or unknown values. That is enough for these resource
      // types.
      return new ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(false)
        .setAcceptOutputs(false);
    }),
    attach: calls.unary((request) => {
      calls.log.attach(request.getAddress());
      return new Empty();
    }),
    cancel: calls.unary(() => {
      calls.cancelAll();
      return new Empty();
    }),
    getPluginInfo: calls.unary(() => new PluginInfo().setVersion(provider.version)),
    getSchema: calls.unary(async () => {
      const schema = provider.schema ? await provider.schema() : emptySchema(provider);
      return new GetSchemaResponse().setSchema(JSON.stringify(schema));
    }),
    getMapping: calls.unary(() => new GetMappingResponse()),
    getMappings: calls.unary(() => new GetMappingsResponse()),
    parameterize: unsupported(calls, provider, 'Parameterize'),
    checkConfig: calls.unary(async (request): Promise<CheckResponse> => {
      const news = decode(request.getNews());
      return checkResponse(
        provider.checkConfig
          ? await provider.checkConfig(decode(request.getOlds()), news)
          : { inputs: news, failures: [] },
      );
    }),
    diffConfig: calls.unary(async (request): Promise<DiffResponse> => {
      const olds = decode(request.getOldInputs() ?? request.getOlds());
      const news = decode(request.getNews());
      if (provider.diffConfig) return diffResponse(await provider.diffConfig(olds, news));
      return diffResponse({
        changes: JSON.stringify(olds) !== JSON.stringify(news),
        replaces: [],
        diffs: [],
      });
    }),
    configure: calls.unary(async (request) => {
      await provider.configure(
        configuration(request.getArgs() ? decode(request.getArgs()) : undefined, request),
      );
      return new ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setAcceptresources(false)
        .setAcceptoutputs(false);
    }),
  };
}

/** Returns a handler for operations that these plugins do not support. */
export function unsupported<Request, Response>(
  calls: Calls,
  provider: ProviderImplementation,
  operation: string,
): handleUnaryCall<Request, Response> {
  return calls.unary<Request, Response>(() => {
    throw new Unsupported(`${operation} is not part of the local cloud's ${provider.name} plugin`);
  });
}

function configuration(
  args: Properties | undefined,
  request: { getVariablesMap(): { forEach(visit: (value: string, key: string) => void): void } },
): Properties {
  if (args !== undefined) return args;
  const variables: Properties = {};
  request.getVariablesMap().forEach((value, key) => {
    variables[key.slice(key.lastIndexOf(':') + 1)] = value;
  });
  return variables;
}

function emptySchema(provider: ProviderImplementation): object {
  return { name: provider.name, version: provider.version, resources: {}, functions: {} };
}
