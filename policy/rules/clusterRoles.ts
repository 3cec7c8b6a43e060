import { identitiesUsedBy, identityBindingGroup, useVerb } from '../../components/identity/bindingNames';
import { fieldsOf, listOf, textOf, textsOf } from '../../components/resource/fields';
import { isInVendorManifest } from './componentRoles';
import type { Declared } from './rule';

const group = 'rbac.authorization.k8s.io';
const typeOf = (kind: string): string => `kubernetes:${group}/v1:${kind}`;
const roles = ['Role', 'ClusterRole'].map(typeOf);
const bindings = ['RoleBinding', 'ClusterRoleBinding'].map(typeOf);

/** Types of Kubernetes roles and role bindings. Their patches are not checked. */
export const clusterRoleTypes: readonly string[] = [...roles, ...bindings];

/** A right that reaches secrets or identities of others. */
interface Right {
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly lets: string;
}

const write = ['create', 'update', 'patch'];

/** From the vendor's own list (kubernetes/website concepts/security/rbac-good-practices.md, "privilege escalation risks"). */
const rights: readonly Right[] = [
  { group: '', resources: ['secrets'], verbs: ['get', 'list', 'watch'], lets: 'read secrets' },
  {
    ...{ group: '', resources: ['serviceaccounts/token'], verbs: ['create'] },
    lets: 'sign in as service accounts',
  },
  {
    ...{ group: '', resources: ['users', 'groups', 'serviceaccounts'], verbs: ['impersonate'] },
    lets: 'impersonate others',
  },
  {
    ...{ group: '', resources: ['pods/exec', 'pods/attach', 'nodes/proxy'], verbs: ['get', 'create'] },
    lets: 'run commands in pods',
  },
  {
    ...{ group: '', resources: ['pods/ephemeralcontainers'], verbs: ['update', 'patch'] },
    lets: 'run commands in pods',
  },
  {
    ...{ group: '', resources: ['pods', 'replicationcontrollers'], verbs: write },
    lets: 'run pods as any service account',
  },
  {
    ...{ group: 'apps', resources: ['deployments', 'daemonsets', 'statefulsets', 'replicasets'] },
    ...{ verbs: write, lets: 'run pods as any service account' },
  },
  {
    ...{ group: 'batch', resources: ['jobs', 'cronjobs'], verbs: write },
    lets: 'run pods as any service account',
  },
  { group, resources: ['roles', 'clusterroles'], verbs: ['bind', 'escalate'], lets: 'assign roles' },
  {
    ...{ group: 'certificates.k8s.io', resources: ['certificatesigningrequests/approval'] },
    ...{ verbs: ['update', 'patch'], lets: 'let others sign in' },
  },
  {
    group: 'admissionregistration.k8s.io',
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    ...{ verbs: write, lets: 'see and change what others write' },
  },
  {
    ...{ group: 'managedidentity.azure.com', resources: ['federatedidentitycredentials'], verbs: write },
    lets: 'take over identities',
  },
  {
    ...{ group: 'authorization.azure.com', resources: ['roleassignments'], verbs: write },
    lets: 'assign roles in Azure',
  },
  {
    ...{ group: identityBindingGroup, resources: ['*'], verbs: [useVerb] },
    lets: 'use every identity that is bound to the cluster',
  },
  { group: 'keyvault.azure.com', resources: ['vaults'], verbs: write, lets: 'open vaults' },
];

/** Tells whether a list of a rule covers the value. `*` covers all; before a slash, it covers the subresource of all resources. */
const covers = (list: unknown, value: string): boolean =>
  textsOf(list).some(
    (entry) => entry === '*' || entry === value || (entry.startsWith('*/') && value.endsWith(entry.slice(1))),
  );

/** The rights that a rule of a role grants, such as `read secrets (get secrets)`. */
function rightsOf(rule: unknown): string[] {
  const { apiGroups, resources, verbs, resourceNames } = fieldsOf(rule);
  return rights.flatMap((right) => {
    const resource = right.resources.find((name) => covers(resources, name));
    const verb = right.verbs.find((name) => covers(verbs, name));
    if (!covers(apiGroups, right.group) || resource === undefined || verb === undefined) return [];
    // Access to named secrets is allowed.
    if (resource === 'secrets' && textsOf(resourceNames).length > 0) return [];
    return [`${right.lets} (${verb} ${resource})`];
  });
}

/** Built-in roles of Kubernetes that reach no secret and no identity. */
const harmless = [
  ...['view', 'system:auth-delegator', 'system:basic-user', 'system:discovery', 'system:monitoring'],
  ...['system:public-info-viewer', 'system:service-account-issuer-discovery'],
  'extension-apiserver-authentication-reader',
];

/** Built-in roles of Kubernetes that reach secrets or identities, or may. */
const powerful = /^(cluster-admin|admin|edit|system:.*)$/;

const hint = 'Allow only what is needed, and name the secrets in `resourceNames`.';

/** Findings on a Kubernetes role, or on a binding of a built-in role, that grants access to secrets or identities. */
export function opensCluster(resource: Declared): string[] {
  const { type, properties } = resource;
  if (isInVendorManifest(resource)) return [];
  if (bindings.includes(type)) {
    const name = textOf(fieldsOf(properties.roleRef).name);
    return powerful.test(name) && !harmless.includes(name)
      ? [
          `It binds ${name}, which can read secrets and run pods as any service account. Bind a role that allows only what is needed.`,
        ]
      : [];
  }
  if (properties.aggregationRule !== undefined)
    return ['It aggregates the rights of other roles (`aggregationRule`). Name what is needed in `rules`.'];
  const [first, ...more] = [...new Set(listOf(properties.rules).flatMap(rightsOf))];
  if (first === undefined) return [];
  const others = more.length === 0 ? '' : `, and ${more.length} more: ${more.slice(0, 3).join(', ')}`;
  return [`Its subjects can ${first}${others}. ${hint}`];
}

const nameOf = ({ properties }: Declared): string => textOf(fieldsOf(properties.metadata).name);
const namespaceOf = ({ properties }: Declared): string => textOf(fieldsOf(properties.metadata).namespace);

const clientIds = [
  'azure-native:managedidentity:UserAssignedIdentity',
  'aks-workload-identity:identity:ManagedIdentity',
];

/**
 * Findings on roles that let their subjects use identities of others through AKS identity bindings, and on bindings of such roles
 * to others than service accounts.
 */
export function usesIdentities(resources: readonly Declared[]): { resource: Declared; problem: string }[] {
  const own = new Set(
    resources
      .filter(({ type }) => clientIds.includes(type))
      .map(({ properties: { clientId } }) => textOf(clientId).toLowerCase()),
  );
  const using = resources
    .filter(({ type }) => roles.includes(type))
    .map((resource) => ({ resource, clients: textsOf(identitiesUsedBy(resource.properties.rules)) }))
    .filter(({ clients }) => clients.length > 0);
  const names = new Set(using.map(({ resource }) => nameOf(resource)));
  return [
    ...using.flatMap(({ resource, clients }) =>
      clients
        .filter((client) => client !== '*' && !own.has(client.toLowerCase()))
        .map((client) => ({
          resource,
          problem: `Its subjects can use the identity ${client}, which is not in this stack. Name the client id of an identity of the stack.`,
        })),
    ),
    ...resources
      .filter(
        (resource) =>
          bindings.includes(resource.type) && names.has(textOf(fieldsOf(resource.properties.roleRef).name)),
      )
      .flatMap((resource) =>
        listOf(resource.properties.subjects)
          .map(fieldsOf)
          .filter(({ kind }) => kind !== undefined && kind !== 'ServiceAccount')
          .map(({ kind, name }) => ({
            resource,
            problem: `It lets the ${textOf(kind).toLowerCase()} ${textOf(name)} use identities. Name single service accounts.`,
          })),
      ),
  ];
}

/** Findings on bindings of roles that are neither in the stack nor built in: what they allow is unknown. */
export function boundElsewhere(resources: readonly Declared[]): { resource: Declared; problem: string }[] {
  const known = new Set(
    resources
      .filter(({ type }) => roles.includes(type))
      .map((role) => `${role.type.split(':').at(-1) ?? ''} ${namespaceOf(role)}/${nameOf(role)}`),
  );
  return resources
    .filter((resource) => bindings.includes(resource.type) && !isInVendorManifest(resource))
    .flatMap((resource) => {
      const { kind, name: roleName } = fieldsOf(resource.properties.roleRef);
      const name = textOf(roleName);
      const namespace = kind === 'Role' ? namespaceOf(resource) : '';
      // The name is unknown in the preview of a role that is yet to be created.
      if (name === '' || harmless.includes(name) || powerful.test(name)) return [];
      return known.has(`${textOf(kind)} ${namespace}/${name}`)
        ? []
        : [
            {
              resource,
              problem: `The role ${name} is not judged: it is neither built into Kubernetes nor in this stack. Bind a role that is.`,
            },
          ];
    });
}
