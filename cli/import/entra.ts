import { filtered, memberIds, type GraphReader } from '../graphReader';

/** Returns an input of a resource, by path; undefined if it is not known yet. */
type InputAt = (path: string) => string | undefined;

/**
 * Finds a resource in Entra and returns the provider's id of it. Undefined if there is none, or several: then it is unknown
 * which belongs to the stack.
 */
type EntraFinder = (graph: GraphReader, at: InputAt) => Promise<string | undefined>;

/** Every type that the program creates in Entra and that `aks-wi import` imports, by its token. */
export const entraTypes: Readonly<Record<string, EntraFinder>> = {
  // Others may have an application with the same name; the stack's own has its tag. Graph compares case-insensitively.
  'azuread:index/application:Application': async (graph, at) => {
    const [name, tag] = [at('displayName'), at('tags.0')];
    if (name === undefined || tag === undefined) return undefined;
    const filter = `displayName eq '${name}' and tags/any(tag:tag eq '${tag}')`;
    const applications = await filtered(graph, 'applications', filter);
    return only(
      'applications',
      applications.filter(({ tags }) => tags.includes(tag)),
    );
  },
  // A credential of the stack's own application, found by its name, which is unique in the application.
  'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential': async (
    graph,
    at,
  ) => {
    const [application, name] = [at('applicationId'), at('displayName')];
    if (application === undefined || name === undefined) return undefined;
    const list = await graph.list(`${application.slice(1)}/federatedIdentityCredentials`);
    const credential = list.find((candidate) => candidate['name'] === name);
    const objectId = application.split('/').at(-1) ?? '';
    return credential === undefined
      ? undefined
      : `${objectId}/federatedIdentityCredential/${String(credential['id'])}`;
  },
  // The stack's own group has the description that names the stack.
  'azuread:index/group:Group': async (graph, at) => {
    const [name, own] = [at('displayName'), at('description')];
    if (name === undefined) return undefined;
    const groups = await filtered(graph, 'groups', `displayName eq '${name}'`);
    return only(
      'groups',
      groups.filter(({ description }) => description === own),
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

function only(collection: string, objects: readonly { readonly id: string }[]): string | undefined {
  const [first, ...others] = objects;
  return first === undefined || others.length > 0 ? undefined : `/${collection}/${first.id}`;
}
