import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { present, requireGroup, requireLiveGroup, systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { notFound } from '../errors';
import { subscriptionScope } from '../resourceId';
import { checkSameLocation, normaliseLocation } from './locations';

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

/** The operations that read resources of a type, and what they take and show. */
export interface ReadOperations {
  /** Names, as in the service's specification. */
  get: string;
  listInGroup: string;
  listInSubscription: string;
  /** Query parameters of `get` beside `api-version`. @default none */
  getQuery?: readonly string[];
  /** Whether the lists take `$top`. @default false */
  top?: boolean;
  /** A resource as answers show it. @default as it is stored */
  show?: (resource: ResourceDocument) => Record<string, unknown>;
}

/** A type of resources that are directly in a group: what all of these have in common. */
export class GroupResource {
  /** Path template of a resource. */
  readonly path: string;

  /** @param parameter name of the path's last parameter, as in the service's specification */
  constructor(
    readonly type: string,
    private readonly parameter: string,
  ) {
    this.path = `${IN_GROUP}/providers/${type}/{${parameter}}`;
  }

  nameIn(call: ArmCall): string {
    return call.params[this.parameter] ?? '';
  }

  private idIn(group: ResourceDocument, call: ArmCall): string {
    return `${group.id}/providers/${this.type}/${this.nameIn(call)}`;
  }

  /** Id of the resource that the path names, which need not exist; its group must. */
  idOf(context: ArmContext, call: ArmCall): string {
    return this.idIn(requireGroup(context, call.params), call);
  }

  /** The resource that the path names; it and its group must exist. */
  required(context: ArmContext, call: ArmCall): ResourceDocument {
    const group = requireGroup(context, call.params);
    const resource = context.store.resources.get(this.idIn(group, call));
    if (resource === undefined) throw notFound(this.type, this.nameIn(call), group.name);
    return resource;
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

  /** The endpoints that read: one resource, those of a group, and those of a subscription. */
  reads(context: ArmContext, operations: ReadOperations): ArmEndpoint[] {
    const { get, listInGroup, listInSubscription, getQuery, top = false, show = present } = operations;
    const shared = { method: 'GET', type: this.type, action: `${this.type}/read` } as const;
    const list = (call: ArmCall, scope: string): Record<string, unknown> => {
      const found = context.store
        .ofType(this.type)
        .filter(({ id }) => id.toLowerCase().startsWith(`${scope.toLowerCase()}/`));
      const most = top ? Number(call.query.get('$top') ?? found.length) : found.length;
      return { value: found.slice(0, most).map((resource) => show(resource)) };
    };
    const lists = { ...shared, query: top ? ['$top'] : [] };
    return [
      {
        ...shared,
        operation: get,
        path: this.path,
        query: getQuery,
        handle: (call) => ({ status: 200, body: show(this.required(context, call)) }),
      },
      {
        ...lists,
        operation: listInGroup,
        path: `${IN_GROUP}/providers/${this.type}`,
        handle: (call) => ({ status: 200, body: list(call, requireGroup(context, call.params).id) }),
      },
      {
        ...lists,
        operation: listInSubscription,
        path: `${IN_SUBSCRIPTION}/providers/${this.type}`,
        handle: (call) => ({
          status: 200,
          body: list(call, subscriptionScope(call.params['subscriptionId'] ?? '')),
        }),
      },
    ];
  }
}
