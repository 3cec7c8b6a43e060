import type { CloudReply } from '../../server/exchange';
import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';

/** What a role has to allow for a method, as the last part of an action. */
const RIGHTS = { GET: 'read', PUT: 'write', PATCH: 'write', DELETE: 'delete' } as const;

export type Right = (typeof RIGHTS)[keyof typeof RIGHTS];
type Handle = ArmEndpoint['handle'];

/** A type of resources: the path of one, the path of their list, and the endpoints of both. */
export class ResourceType {
  /** Path template of a resource. */
  readonly path: string;

  /** @param parameter name of the path's last parameter, as in the service's specification */
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

  /** An endpoint of one resource. @param query parameters beside `api-version` */
  endpoint(
    method: keyof typeof RIGHTS,
    operation: string,
    handle: Handle,
    query?: readonly string[],
  ): ArmEndpoint {
    const { path, type } = this;
    return { operation, method, path, type, action: `${type}/${RIGHTS[method]}`, query, handle };
  }

  /** The endpoint of the list. It follows `$top` where the query may have that. */
  listEndpoint(
    operation: string,
    found: (call: ArmCall) => readonly Record<string, unknown>[],
    query?: readonly string[],
  ): ArmEndpoint {
    const handle = (call: ArmCall): CloudReply => {
      const all = found(call);
      return { status: 200, body: { value: all.slice(0, Number(call.query.get('$top') ?? all.length)) } };
    };
    return { ...this.endpoint('GET', operation, handle, query), path: this.list };
  }

  /** An endpoint of an action on a resource, such as `listKeys`, which needs a right of its own. */
  actionEndpoint(name: string, operation: string, handle: Handle, query?: readonly string[]): ArmEndpoint {
    const { path, type } = this;
    const action = `${type}/${name}/action`;
    return { operation, method: 'POST', path: `${path}/${name}`, type, action, query, handle };
  }

  /** Keeps a resource and answers with it: 201 for a new one, 200 for one that was there. */
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
