import type { z } from 'zod';
import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import { present, requireGroup, requireLiveGroup, systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import type { ArmError } from '../errors';
import { notFound } from '../errors';
import { subscriptionScope } from '../resourceId';
import { removePlain } from './deletion';
import { checkSameLocation, normaliseLocation } from './locations';
import { ResourceType } from './resourceType';

const IN_SUBSCRIPTION = '/subscriptions/{subscriptionId}';
const IN_GROUP = `${IN_SUBSCRIPTION}/resourceGroups/{resourceGroupName}`;

/** What a write leads to: the group it is in, and what is there already. */
export interface WriteTarget {
  group: ResourceDocument;
  id: string;
  name: string;
  existing: ResourceDocument | undefined;
}

/** The members of a resource that do not depend on its type. */
export type WrittenBase = Required<
  Pick<ResourceDocument, 'id' | 'name' | 'type' | 'location' | 'tags' | 'systemData'>
>;

/** The operations that read resources of a type, and what they take. */
export interface ReadOperations {
  /** Names, as in the service's specification. */
  get: string;
  listInGroup: string;
  listInSubscription: string;
  /** Query parameters of `get` beside `api-version`. @default none */
  getQuery?: readonly string[];
  /** Query parameters of the lists beside `api-version`. @default none */
  listQuery?: readonly string[];
}

/** Begins a change that takes its time, and answers. @param existing undefined for a new resource */
type Begin = (
  context: ArmContext,
  call: ArmCall,
  resource: ResourceDocument,
  existing: ResourceDocument | undefined,
) => CloudReply;

/** The operation that writes a resource whole. */
export interface PutOperation<Body extends z.ZodType> {
  /** Name, as in the service's specification. */
  operation: string;
  body: Body;
  /** The resource as it is to be. */
  resource: (
    context: ArmContext,
    call: ArmCall,
    asked: z.infer<Body>,
    target: WriteTarget,
  ) => ResourceDocument;
  /** @default the resource is kept at once */
  begin?: Begin;
}

/** The operation that changes members of a resource. */
export interface PatchOperation<Body extends z.ZodType> {
  /** Name, as in the service's specification. */
  operation: string;
  body: Body;
  /** The members that change beside the tags and the record of who wrote it. */
  change: (
    context: ArmContext,
    call: ArmCall,
    asked: z.infer<Body>,
    existing: ResourceDocument,
  ) => Partial<ResourceDocument>;
  /** @default the resource is kept at once */
  begin?: Begin;
}

/** The operation that deletes a resource at once. */
export interface DeleteOperation {
  /** Name, as in the service's specification. */
  operation: string;
  /** Query parameters beside `api-version`. @default none */
  query?: readonly string[];
  /** @default takes the resource away with all that is in it and on it */
  remove?: (context: ArmContext, resource: ResourceDocument) => void;
}

type Tagged = z.ZodType<{ tags?: Record<string, string> }>;

/** A type of resources that are directly in a group: what all of these have in common. */
export class GroupResource extends ResourceType {
  /**
   * @param parameter name of the path's last parameter, as in the service's specification
   * @param shown a resource as answers show it
   */
  constructor(
    type: string,
    parameter: string,
    private readonly shown: (resource: ResourceDocument, store: Store) => Record<string, unknown> = present,
  ) {
    super(type, `${IN_GROUP}/providers/${type}`, parameter);
  }

  private idIn(group: ResourceDocument, call: ArmCall): string {
    return `${group.id}/providers/${this.type}/${this.nameIn(call)}`;
  }

  /** Id of the resource that the path names, which need not exist; its group must. */
  idOf(context: ArmContext, call: ArmCall): string {
    return this.idIn(requireGroup(context, call.params), call);
  }

  /** The resource that the path names, if it is there; its group must exist. */
  find(context: ArmContext, call: ArmCall): ResourceDocument | undefined {
    return context.store.resources.get(this.idOf(context, call));
  }

  /** The resource that the path names; it and its group must exist. */
  required(context: ArmContext, call: ArmCall): ResourceDocument {
    const resource = this.find(context, call);
    if (resource === undefined) throw this.missing(context, call);
    return resource;
  }

  /** Error of a resource that is not there. */
  missing(context: ArmContext, call: ArmCall): ArmError {
    return notFound(this.type, this.nameIn(call), requireGroup(context, call.params).name);
  }

  /** What a PUT leads to. Whether the name is allowed is for the type to say. */
  target(context: ArmContext, call: ArmCall): WriteTarget {
    const group = requireLiveGroup(context, call.params);
    const id = this.idIn(group, call);
    return { group, id, name: this.nameIn(call), existing: context.store.resources.get(id) };
  }

  /** The resource that a PUT asks for, but for what its type adds; refuses another location than it has. */
  written(
    context: ArmContext,
    call: ArmCall,
    { id, name, existing }: WriteTarget,
    asked: { location: string; tags?: Record<string, string> },
  ): WrittenBase {
    const location = normaliseLocation(asked.location, this.type);
    checkSameLocation(name, existing?.location, location);
    return {
      id: existing?.id ?? id,
      name: existing?.name ?? name,
      type: this.type,
      location,
      tags: asked.tags ?? {},
      systemData: systemData(context, call.caller, existing?.systemData),
    };
  }

  /** The endpoint that writes a resource whole. */
  put<Body extends z.ZodType>(context: ArmContext, put: PutOperation<Body>): ArmEndpoint {
    const { begin = this.keep } = put;
    return this.endpoint('PUT', put.operation, (call) => {
      const asked = readBody(put.body, call.body, this.type);
      const target = this.target(context, call);
      return begin(context, call, put.resource(context, call, asked, target), target.existing);
    });
  }

  /** The endpoint that changes members of a resource. A type that has no record of who wrote it gets none. */
  patch<Body extends Tagged>(context: ArmContext, patch: PatchOperation<Body>): ArmEndpoint {
    const { begin = this.keep } = patch;
    return this.endpoint('PATCH', patch.operation, (call) => {
      const existing = this.required(context, call);
      const asked = readBody(patch.body, call.body, this.type);
      const { systemData: written } = existing;
      const resource: ResourceDocument = {
        ...existing,
        tags: asked.tags ?? existing.tags,
        ...(written === undefined ? {} : { systemData: systemData(context, call.caller, written) }),
        ...patch.change(context, call, asked, existing),
      };
      return begin(context, call, resource, existing);
    });
  }

  /** The endpoint that deletes a resource at once. */
  delete(context: ArmContext, { operation, query, remove = removePlain }: DeleteOperation): ArmEndpoint {
    const handle = (call: ArmCall): CloudReply => {
      const resource = this.find(context, call);
      if (resource === undefined) return { status: 204 };
      remove(context, resource);
      return { status: 200 };
    };
    return this.endpoint('DELETE', operation, handle, query);
  }

  /** The endpoints that read: one resource, those of a group, and those of a subscription. */
  reads(context: ArmContext, operations: ReadOperations): ArmEndpoint[] {
    const { get, listInGroup, listInSubscription, getQuery, listQuery } = operations;
    const below = (scope: string): Record<string, unknown>[] =>
      context.store
        .ofType(this.type)
        .filter(({ id }) => id.toLowerCase().startsWith(`${scope.toLowerCase()}/`))
        .map((resource) => this.shown(resource, context.store));
    const inGroup = (call: ArmCall) => below(requireGroup(context, call.params).id);
    const inSubscription = (call: ArmCall) => below(subscriptionScope(call.params['subscriptionId'] ?? ''));
    return [
      this.endpoint(
        'GET',
        get,
        (call) => ({ status: 200, body: this.shown(this.required(context, call), context.store) }),
        getQuery,
      ),
      this.listEndpoint(listInGroup, inGroup, listQuery),
      {
        ...this.listEndpoint(listInSubscription, inSubscription, listQuery),
        path: `${IN_SUBSCRIPTION}/providers/${this.type}`,
      },
    ];
  }

  private readonly keep: Begin = (context, _call, resource, existing) =>
    this.kept(context, resource, existing, (kept) => this.shown(kept, context.store));
}
