import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';

/** The last segment of the action for each method. */
const RIGHTS = { GET: 'read', PUT: 'write', PATCH: 'write', DELETE: 'delete' } as const;

export type Right = (typeof RIGHTS)[keyof typeof RIGHTS];
type Handle = ArmEndpoint['handle'];

/** A resource type: the path of a resource, the path of the list, and their endpoints. */
export class ResourceType {
  /** Path template of a resource. */
  readonly path: string;

  /** @param parameter name of the path's last parameter in the service's specification */
  constructor(
    readonly type: string,
    private readonly list: string,
    private readonly parameter: string,
  ) {
    this.path = `${list}/{${parameter}}`;
  }

  nameIn(call: ArmCall): string {
    return call.params[this.parameter] ?? '';
  }

  /** An endpoint of one resource. @param query parameters besides `api-version` */
  endpoint(
    method: keyof typeof RIGHTS,
    operation: string,
    handle: Handle,
    query?: readonly string[],
  ): ArmEndpoint {
    const { path, type } = this;
    return { operation, method, path, type, action: `${type}/${RIGHTS[method]}`, query, handle };
  }

  /** The endpoint of the list. */
  listEndpoint(
    operation: string,
    items: (call: ArmCall) => readonly Record<string, unknown>[],
    query?: readonly string[],
  ): ArmEndpoint {
    const handle = (call: ArmCall): CloudReply => ({ status: 200, body: { value: items(call) } });
    return { ...this.endpoint('GET', operation, handle, query), path: this.list };
  }

  /** An endpoint of an action on a resource, such as `listKeys`, which has a permission of its own in roles. */
  actionEndpoint(name: string, operation: string, handle: Handle, query?: readonly string[]): ArmEndpoint {
    const { path, type } = this;
    const action = `${type}/${name}/action`;
    return { operation, method: 'POST', path: `${path}/${name}`, type, action, query, handle };
  }

  /** Stores a resource and answers with it: 201 if it is new, otherwise 200. */
  kept(
    context: ArmContext,
    resource: ResourceDocument,
    existing: ResourceDocument | undefined,
    show: (resource: ResourceDocument) => Record<string, unknown> = present,
  ): CloudReply {
    context.store.resources.set(resource.id, resource);
    return { status: existing === undefined ? 201 : 200, body: show(resource) };
  }
}
