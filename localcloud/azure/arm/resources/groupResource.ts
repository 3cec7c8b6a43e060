import type * as z from 'zod';
import type { CloudReply } from '../../server/exchange';
import type { OperationDocument, ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import { body, readBody, tags } from '../body';
import type { ArmContext } from '../context';
import { present, requireGroup, requireLiveGroup, systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import type { ArmError } from '../errors';
import { notFound } from '../errors';
import { subscriptionScope } from '../resourceId';
import { removePlain } from './deletion';
import { checkSameLocation, normaliseLocation } from './locations';
import { checkName, takenName } from './nameRules';
import { ResourceType } from './resourceType';

const IN_SUBSCRIPTION = '/subscriptions/{subscriptionId}';
const IN_GROUP = `${IN_SUBSCRIPTION}/resourceGroups/{resourceGroupName}`;

/** The target of a write: the resource group, and the existing resource. */
export interface WriteTarget {
  group: ResourceDocument;
  id: string;
  name: string;
  existing: ResourceDocument | undefined;
}

/** The members of a resource that are common to all types. */
export type WrittenBase = Required<
  Pick<ResourceDocument, 'id' | 'name' | 'type' | 'location' | 'tags' | 'systemData'>
>;

/** The read operations of a type, and their query parameters. */
export interface ReadOperations {
  /** Operation ids in the service's specification. */
  get: string;
  listInGroup: string;
  listInSubscription: string;
  /** Query parameters of `get` besides `api-version`. @default none */
  getQuery?: readonly string[];
  /** Query parameters of the lists besides `api-version`. @default none */
  listQuery?: readonly string[];
}

/** Starts a long-running change and returns the answer. @param existing undefined for a new resource */
type Begin = (
  context: ArmContext,
  call: ArmCall,
  resource: ResourceDocument,
  existing: ResourceDocument | undefined,
) => CloudReply;

/** The operation that creates or replaces a resource. */
export interface PutOperation<Body extends z.ZodType> {
  /** Operation id in the service's specification. */
  operation: string;
  body: Body;
  /** The resource to store. */
  resource: (
    context: ArmContext,
    call: ArmCall,
    body: z.infer<Body>,
    target: WriteTarget,
  ) => ResourceDocument;
  /** @default the resource is stored at once */
  begin?: Begin;
}

/** The operation that updates members of a resource. */
export interface PatchOperation<Body extends z.ZodType> {
  /** Operation id in the service's specification. */
  operation: string;
  body: Body;
  /** The members that change, without the tags and `systemData`. */
  change: (
    context: ArmContext,
    call: ArmCall,
    body: z.infer<Body>,
    existing: ResourceDocument,
  ) => Partial<ResourceDocument>;
  /** @default the resource is stored at once */
  begin?: Begin;
}

/** The operation that deletes a resource at once. */
export interface DeleteOperation {
  /** Operation id in the service's specification. */
  operation: string;
  /** Query parameters besides `api-version`. @default none */
  query?: readonly string[];
  /** @default deletes the resource with its descendants and role assignments */
  remove?: (context: ArmContext, resource: ResourceDocument) => void;
}

type Tagged = z.ZodType<{ tags?: Record<string, string> }>;

/** A resource type whose resources are directly in a resource group. */
export class GroupResource extends ResourceType {
  /**
   * @param parameter name of the path's last parameter in the service's specification
   * @param shown converts a resource for answers
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

  /** Id of the resource in the path, which need not exist; throws if its group does not exist. */
  idOf(context: ArmContext, call: ArmCall): string {
    return this.idIn(requireGroup(context, call.params), call);
  }

  /** Finds the resource in the path; throws if its group does not exist. */
  find(context: ArmContext, call: ArmCall): ResourceDocument | undefined {
    return context.store.resources.get(this.idOf(context, call));
  }

  /** Returns the resource in the path; throws if it or its group does not exist. */
  required(context: ArmContext, call: ArmCall): ResourceDocument {
    const resource = this.find(context, call);
    if (resource === undefined) throw this.missing(context, call);
    return resource;
  }

  /** The error for a resource that does not exist. */
  missing(context: ArmContext, call: ArmCall): ArmError {
    return notFound(this.type, this.nameIn(call), requireGroup(context, call.params).name);
  }

  /** The target of a PUT; refuses a name that is invalid or taken. */
  target(context: ArmContext, call: ArmCall): WriteTarget {
    const group = requireLiveGroup(context, call.params);
    checkName(this.type, this.nameIn(call));
    const id = this.idIn(group, call);
    const [name, existing] = [this.nameIn(call), context.store.resources.get(id)];
    const taken = existing === undefined ? takenName(context.store, this.type, name) : undefined;
    if (taken !== undefined) throw taken;
    return { group, id, name, existing };
  }

  /** The common members of the resource that a PUT requests; refuses a change of the location. */
  written(
    context: ArmContext,
    call: ArmCall,
    { id, name, existing }: WriteTarget,
    requested: { location: string; tags?: Record<string, string> },
  ): WrittenBase {
    const location = normaliseLocation(requested.location, this.type);
    checkSameLocation(name, existing?.location, location);
    return {
      id: existing?.id ?? id,
      name: existing?.name ?? name,
      type: this.type,
      location,
      tags: requested.tags ?? {},
      systemData: systemData(context, call.caller, existing?.systemData),
    };
  }

  /** The endpoint that creates or replaces a resource. */
  put<Body extends z.ZodType>(context: ArmContext, put: PutOperation<Body>): ArmEndpoint {
    const { begin = this.keep } = put;
    return this.endpoint('PUT', put.operation, (call) => {
      const body = readBody(put.body, call.body, this.type);
      const target = this.target(context, call);
      return begin(context, call, put.resource(context, call, body, target), target.existing);
    });
  }

  /** The endpoint that updates members of a resource. Types without `systemData` get none. */
  patch<Body extends Tagged>(context: ArmContext, patch: PatchOperation<Body>): ArmEndpoint {
    const { begin = this.keep } = patch;
    return this.endpoint('PATCH', patch.operation, (call) => {
      const existing = this.required(context, call);
      const body = readBody(patch.body, call.body, this.type);
      const { systemData: written } = existing;
      const resource: ResourceDocument = {
        ...existing,
        tags: body.tags ?? existing.tags,
        ...(written === undefined ? {} : { systemData: systemData(context, call.caller, written) }),
        ...patch.change(context, call, body, existing),
      };
      return begin(context, call, resource, existing);
    });
  }

  /** The endpoint that updates the tags of a resource, and nothing else. */
  patchTags(context: ArmContext, operation: string): ArmEndpoint {
    return this.patch(context, { operation, body: body({ tags }), change: () => ({}) });
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

  /** The read endpoints: one resource, all of a group, and all of a subscription. */
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

  /** Stores a new resource as it is during its creation, and creates it in the background. */
  createLater(
    context: ArmContext,
    resource: ResourceDocument,
    state: Record<string, unknown> = { provisioningState: 'Creating' },
  ): { creating: ResourceDocument; operation: OperationDocument } {
    const creating = { ...resource, properties: { ...resource.properties, ...state } };
    context.store.resources.set(resource.id, creating);
    return {
      creating,
      operation: context.longRunning.begin(resource.id, { succeeded: resource, failed: null }),
    };
  }

  private readonly keep: Begin = (context, _call, resource, existing) =>
    this.kept(context, resource, existing, (kept) => this.shown(kept, context.store));
}
