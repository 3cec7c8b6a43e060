import { filtered, memberIds, type GraphReader } from '../graphReader';

/** What the program says about a resource, by path; undefined if it is not known yet. */
type InputAt = (path: string) => string | undefined;

/**
 * Finds what the program makes in Entra, which chooses the ids: the id that the provider has. Undefined also if there are
 * several: which of them was the stack's cannot be known.
 */
type EntraFinder = (graph: GraphReader, at: InputAt) => Promise<string | undefined>;

/** Every type that the program makes in Entra and that `aks-wi import` takes in, by its token. */
export const entraTypes: Readonly<Record<string, EntraFinder>> = {
  // Others may have an application of the same name; ours has the stack's tag. Graph compares without regard to case.
  'azuread:index/application:Application': async (graph, at) => {
    const [name, tag] = [at('displayName'), at('tags.0')];
    if (name === undefined || tag === undefined) return undefined;
    const filter = `displayName eq '${name}' and tags/any(tag:tag eq '${tag}')`;
    const found = await filtered(graph, 'applications', filter);
    return only(
      'applications',
      found.filter(({ tags }) => tags.includes(tag)),
    );
  },
  // Of an application that is ours, found by its name, which only one of them can have.
  'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential': async (
    graph,
    at,
  ) => {
    const [application, name] = [at('applicationId'), at('displayName')];
    if (application === undefined || name === undefined) return undefined;
    const list = await graph.list(`${application.slice(1)}/federatedIdentityCredentials`);
    const found = list.find((one) => one['name'] === name);
    const objectId = application.split('/').at(-1) ?? '';
    return found === undefined ? undefined : `${objectId}/federatedIdentityCredential/${String(found['id'])}`;
  },
  // Ours has the description that names the stack.
  'azuread:index/group:Group': async (graph, at) => {
    const [name, own] = [at('displayName'), at('description')];
    if (name === undefined) return undefined;
    const found = await filtered(graph, 'groups', `displayName eq '${name}'`);
    return only(
      'groups',
      found.filter(({ description }) => description === own),
    );
  },
  'azuread:index/groupMember:GroupMember': async (graph, at) => {
    const [group, member] = [at('groupObjectId'), at('memberObjectId')];
    if (group === undefined || member === undefined) return undefined;
    return (await memberIds(graph, group)).includes(member) ? `${group}/member/${member}` : undefined;
  },
  'azuread:index/servicePrincipal:ServicePrincipal': async (graph, at) => {
    const clientId = at('clientId');
    if (clientId === undefined) return undefined;
    return only('servicePrincipals', await filtered(graph, 'servicePrincipals', `appId eq '${clientId}'`));
  },
};

function only(collection: string, found: readonly { readonly id: string }[]): string | undefined {
  const [first, ...others] = found;
  return first === undefined || others.length > 0 ? undefined : `/${collection}/${first.id}`;
}
