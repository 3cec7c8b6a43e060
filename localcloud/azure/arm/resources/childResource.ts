import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { present, requireLiveGroup } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import type { ArmError } from '../errors';
import { notFound } from '../errors';
import type { GroupResource } from './groupResource';
import type { Right } from './resourceType';
import { ResourceType } from './resourceType';

/** What a PUT leads to: the parent, the id and name as they are or are to be, and what is there already. */
export interface ChildTarget {
  parent: ResourceDocument;
  id: string;
  name: string;
  existing: ResourceDocument | undefined;
}

/** How a service refuses, where it is not as the resource manager does. */
export interface Refusals {
  /** @default as where the parent itself is asked for */
  parentMissing?: (parentId: string, right: Right) => ArmError;
  /** @default `ResourceNotFound` */
  missing?: (name: string) => ArmError;
}

/** A type of resources that are in a resource of a group: what all of these have in common. */
export class ChildResource extends ResourceType {
  /**
   * @param kind last part of the type and of the list's path
   * @param parameter name of the path's last parameter, as in the service's specification
   */
  constructor(
    private readonly parent: GroupResource,
    private readonly kind: string,
    parameter: string,
    private readonly refusals: Refusals = {},
  ) {
    super(`${parent.type}/${kind}`, `${parent.path}/${kind}`, parameter);
  }

  /** The parent that the path names, which must exist. */
  parentOf(context: ArmContext, call: ArmCall, right: Right = 'read'): ResourceDocument {
    const id = this.parent.idOf(context, call);
    const parent = context.store.resources.get(id);
    if (parent !== undefined) return parent;
    throw this.refusals.parentMissing?.(id, right) ?? this.parent.missing(context, call);
  }

  /** What is in the parent, in the order of the names. */
  within(context: ArmContext, parent: ResourceDocument): ResourceDocument[] {
    const prefix = `${parent.id}/${this.kind}/`.toLowerCase();
    return context.store.ofType(this.type).filter(({ id }) => id.toLowerCase().startsWith(prefix));
  }

  /** What the path names, if it is there; its parent must be. */
  find(context: ArmContext, call: ArmCall, right?: Right): Omit<ChildTarget, 'name'> {
    const parent = this.parentOf(context, call, right);
    const id = `${parent.id}/${this.kind}/${this.nameIn(call)}`;
    return { parent, id, existing: context.store.resources.get(id) };
  }

  /** What a PUT leads to. Whether the name is allowed is for the type to say. */
  target(context: ArmContext, call: ArmCall): ChildTarget {
    requireLiveGroup(context, call.params);
    const { parent, id, existing } = this.find(context, call, 'write');
    return { parent, existing, id: existing?.id ?? id, name: existing?.name ?? this.nameIn(call) };
  }

  /** Error of a child that is not there. */
  missing(call: ArmCall, parent: ResourceDocument): ArmError {
    const name = this.nameIn(call);
    return (
      this.refusals.missing?.(name) ??
      notFound(this.type, `${parent.name}/${name}`, call.params['resourceGroupName'] ?? '')
    );
  }

  /** The endpoints that read: one resource, and those of a parent. `listQuery`: query parameters of the list. */
  reads(
    context: ArmContext,
    operations: { get: string; list: string; listQuery?: readonly string[] },
  ): ArmEndpoint[] {
    const { get, list, listQuery } = operations;
    return [
      this.endpoint('GET', get, (call) => {
        const { parent, existing } = this.find(context, call);
        if (existing === undefined) throw this.missing(call, parent);
        return { status: 200, body: present(existing) };
      }),
      this.listEndpoint(
        list,
        (call) => this.within(context, this.parentOf(context, call)).map(present),
        listQuery,
      ),
    ];
  }
}
