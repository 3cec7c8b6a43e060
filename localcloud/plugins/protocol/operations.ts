import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import type { IResourceProviderServer } from '@pulumi/pulumi/proto/provider_grpc_pb';
import {
  CreateResponse,
  InvokeResponse,
  ReadResponse,
  UpdateResponse,
  type CreateRequest,
  type UpdateRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import type { Calls } from './calls';
import { Unsupported } from './errors';
import { statusOf } from './failures';
import { unsupported } from './lifecycle';
import type { ProviderImplementation } from './provider';
import { checkResponse, diffResponse, failureMessages } from './responses';
import { decode, encode } from './structs';

type Operations = Pick<
  IResourceProviderServer,
  'check' | 'diff' | 'create' | 'read' | 'update' | 'delete' | 'invoke' | 'call' | 'construct' | 'list'
>;

/** Returns the handlers for one resource or function. */
export function operationHandlers(provider: ProviderImplementation, calls: Calls): Operations {
  return {
    check: calls.unary(async (request) => {
      const urn = request.getUrn();
      return checkResponse(
        await provider.check(urn, typeOf(request), decode(request.getOlds()), decode(request.getNews()), {
          name: request.getName() || nameOf(urn),
          randomSeed: new Uint8Array(request.getRandomseed_asU8()),
        }),
      );
    }),
    diff: calls.unary(async (request) =>
      diffResponse(
        await provider.diff(
          request.getUrn(),
          typeOf(request),
          request.getId(),
          decode(request.getOlds()),
          decode(request.getOldInputs()),
          decode(request.getNews()),
          request.getIgnorechangesList(),
        ),
      ),
    ),
    create: calls.unary(
      async (request: CreateRequest, context) => {
        const created = await provider.create(
          request.getUrn(),
          typeOf(request),
          decode(request.getProperties()),
          { preview: request.getPreview(), timeoutSeconds: request.getTimeout() },
          context,
        );
        return new CreateResponse().setId(created.id).setProperties(encode(created.state));
      },
      (request) => decode(request.getProperties()),
    ),
    read: calls.unary(async (request, context) => {
      const read = await provider.read(
        request.getUrn(),
        typeOf(request),
        request.getId(),
        decode(request.getProperties()),
        decode(request.getInputs()),
        context,
      );
      if (read === undefined) return new ReadResponse();
      return new ReadResponse()
        .setId(read.id)
        .setProperties(encode(read.state))
        .setInputs(encode(read.inputs));
    }),
    update: calls.unary(
      async (request: UpdateRequest, context) => {
        const updated = await provider.update(
          request.getUrn(),
          typeOf(request),
          request.getId(),
          decode(request.getOlds()),
          decode(request.getOldInputs()),
          decode(request.getNews()),
          { preview: request.getPreview(), timeoutSeconds: request.getTimeout() },
          context,
        );
        return new UpdateResponse().setProperties(encode(updated.state));
      },
      (request) => decode(request.getNews()),
    ),
    delete: calls.unary(async (request, context) => {
      await provider.delete(
        request.getUrn(),
        typeOf(request),
        request.getId(),
        decode(request.getProperties()),
        { preview: false, timeoutSeconds: request.getTimeout() },
        context,
      );
      return new Empty();
    }),
    invoke: calls.unary(async (request, context) => {
      const { result, failures } = await provider.invoke(
        request.getTok(),
        decode(request.getArgs()),
        context,
      );
      return new InvokeResponse().setReturn(encode(result)).setFailuresList(failureMessages(failures));
    }),
    call: unsupported(calls, provider, 'Call'),
    construct: unsupported(calls, provider, 'Construct'),
    list: (call) => {
      const refusal = new Unsupported(`List is not part of the local cloud's ${provider.name} plugin`);
      call.emit('error', statusOf(refusal));
    },
  };
}

/** Returns the resource type. Older engines send it only in the URN: `urn:pulumi:stack::project::parent$type::name`. */
function typeOf(request: { getType?(): string; getUrn(): string }): string {
  return request.getType?.() || (request.getUrn().split('::')[2]?.split('$').at(-1) ?? '');
}

function nameOf(urn: string): string {
  return urn.split('::').slice(3).join('::');
}
