import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { present, requireLiveGroup } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import type { ArmError } from '../errors';
import { notFound } from '../errors';
import { removePlain } from './deletion';
import type { GroupResource } from './groupResource';
import type { Right } from './resourceType';
import { ResourceType } from './resourceType';

/** The target of a PUT: the parent, the child's id and name, and the existing child. */
export interface ChildTarget {
  parent: ResourceDocument;
  id: string;
  name: string;
  existing: ResourceDocument | undefined;
}

/** Errors of a service that differ from the resource manager's. */
export interface Refusals {
  /** @default the error for the parent itself */
  parentMissing?: (parentId: string, right: Right) => ArmError;
  /** @default `ResourceNotFound` */
  missing?: (name: string) => ArmError;
}

/** A resource type that is a child of a resource in a resource group. */
export class ChildResource extends ResourceType {
  /**
   * @param kind last segment of the type and of the list's path
   * @param parameter name of the path's last parameter in the service's specification
   */
  constructor(
    private readonly parent: GroupResource,
    private readonly kind: string,
    parameter: string,
    private readonly refusals: Refusals = {},
  ) {
    super(`${parent.type}/${kind}`, `${parent.path}/${kind}`, parameter);
  }

  /** Returns the parent in the path; throws if it does not exist. */
  parentOf(context: ArmContext, call: ArmCall, right: Right = 'read'): ResourceDocument {
    const id = this.parent.idOf(context, call);
    const parent = context.store.resources.get(id);
    if (parent !== undefined) return parent;
    throw this.refusals.parentMissing?.(id, right) ?? this.parent.missing(context, call);
  }

  /** The children of the parent, sorted by name. */
  within(context: Pick<ArmContext, 'store'>, parent: ResourceDocument): ResourceDocument[] {
    const prefix = `${parent.id}/${this.kind}/`.toLowerCase();
    return context.store.ofType(this.type).filter(({ id }) => id.toLowerCase().startsWith(prefix));
  }

  /** Finds the child in the path; throws if the parent does not exist. */
  find(context: ArmContext, call: ArmCall, right?: Right): Omit<ChildTarget, 'name'> {
    const parent = this.parentOf(context, call, right);
    const id = `${parent.id}/${this.kind}/${this.nameIn(call)}`;
    return { parent, id, existing: context.store.resources.get(id) };
  }

  /** The target of a PUT. The resource type checks the name itself. */
  target(context: ArmContext, call: ArmCall): ChildTarget {
    requireLiveGroup(context, call.params);
    const { parent, id, existing } = this.find(context, call, 'write');
    return { parent, existing, id: existing?.id ?? id, name: existing?.name ?? this.nameIn(call) };
  }

  /** The error for a child that does not exist. */
  missing(call: ArmCall, parent: ResourceDocument): ArmError {
    const name = this.nameIn(call);
    return (
      this.refusals.missing?.(name) ??
      notFound(this.type, `${parent.name}/${name}`, call.params['resourceGroupName'] ?? '')
    );
  }

  /** The endpoint that deletes a child at once, by default with its descendants and role assignments. */
  delete(context: ArmContext, operation: string, remove = removePlain): ArmEndpoint {
    return this.endpoint('DELETE', operation, (call) => {
      const { existing } = this.find(context, call, 'delete');
      if (existing === undefined) return { status: 204 };
      remove(context, existing);
      return { status: 200 };
    });
  }

  /** The read endpoints: one child, and all children of a parent. `listQuery`: query parameters of the list. */
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
