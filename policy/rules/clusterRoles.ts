import { fieldsOf, textOf, textsOf } from '../../stacks/offline';
import type { Declared } from './rule';

const group = 'rbac.authorization.k8s.io';
const typeOf = (kind: string): string => `kubernetes:${group}/v1:${kind}`;
const roles = ['Role', 'ClusterRole'].map(typeOf);
const bindings = ['RoleBinding', 'ClusterRoleBinding'].map(typeOf);

/** Types of roles within a cluster, and of what binds them. A patch of either is not judged. */
export const clusterRoleTypes: readonly string[] = [...roles, ...bindings];

/** Its manifests are the vendor's: its operator administrates the cluster that hosts. */
const hostedOperator = 'aks-workload-identity:hypershift:HyperShiftOperator';

/** A right with which secrets or identities of others are reached. */
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
    lets: 'act as others',
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
  { group, resources: ['roles', 'clusterroles'], verbs: ['bind', 'escalate'], lets: 'give roles' },
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
    lets: 'give roles in Azure',
  },
  { group: 'keyvault.azure.com', resources: ['vaults'], verbs: write, lets: 'open vaults' },
];

/** Whether a rule's list has it, or all; `*` before a slash is all that have such a part. */
const has = (given: unknown, one: string): boolean =>
  textsOf(given).some(
    (each) => each === '*' || each === one || (each.startsWith('*/') && one.endsWith(each.slice(1))),
  );

/** What one rule of a role lets do: `read secrets (get secrets)`. */
function letBy(rule: unknown): string[] {
  const { apiGroups, resources, verbs, resourceNames } = fieldsOf(rule);
  return rights.flatMap((right) => {
    const resource = right.resources.find((one) => has(resources, one));
    const verb = right.verbs.find((one) => has(verbs, one));
    if (!has(apiGroups, right.group) || resource === undefined || verb === undefined) return [];
    // Secrets that are named are granted one by one.
    if (resource === 'secrets' && textsOf(resourceNames).length > 0) return [];
    return [`${right.lets} (${verb} ${resource})`];
  });
}

/** Kubernetes' own roles that reach no secret and no identity. */
const harmless = [
  ...['view', 'system:auth-delegator', 'system:basic-user', 'system:discovery', 'system:monitoring'],
  ...['system:public-info-viewer', 'system:service-account-issuer-discovery'],
  'extension-apiserver-authentication-reader',
];

/** Kubernetes' own that do; of the others, nothing is known. */
const powerful = /^(cluster-admin|admin|edit|system:.*)$/;

const remedy = 'Allow only what is needed, and of secrets single ones (`resourceNames`).';

/** What a role within a cluster, or a binding of Kubernetes' own, lets do that is a way to secrets. */
export function opensCluster({ type, within, properties }: Declared): string[] {
  if (within.at(-1) === hostedOperator) return [];
  if (bindings.includes(type)) {
    const name = textOf(fieldsOf(properties.roleRef).name);
    return powerful.test(name) && !harmless.includes(name)
      ? [
          `It binds ${name}, with which secrets are read and pods run as any service account. Bind a role with what is needed.`,
        ]
      : [];
  }
  if (properties.aggregationRule !== undefined)
    return ['It takes up what other roles allow (`aggregationRule`). Name what is needed in `rules`.'];
  const rules: unknown[] = Array.isArray(properties.rules) ? properties.rules : [];
  const [first, ...more] = [...new Set(rules.flatMap(letBy))];
  if (first === undefined) return [];
  const others = more.length === 0 ? '' : `, and ${more.length} more: ${more.slice(0, 3).join(', ')}`;
  return [`Whom it is bound to can ${first}${others}. ${remedy}`];
}

const nameOf = ({ properties }: Declared): string => textOf(fieldsOf(properties.metadata).name);
const namespaceOf = ({ properties }: Declared): string => textOf(fieldsOf(properties.metadata).namespace);

/** Bindings of roles that are neither of the stack nor Kubernetes' own: what they allow cannot be seen. */
export function boundElsewhere(resources: readonly Declared[]): { resource: Declared; what: string }[] {
  const known = new Set(
    resources
      .filter(({ type }) => roles.includes(type))
      .map((one) => `${one.type.split(':').at(-1) ?? ''} ${namespaceOf(one)}/${nameOf(one)}`),
  );
  return resources
    .filter(({ type, within }) => bindings.includes(type) && within.at(-1) !== hostedOperator)
    .flatMap((resource) => {
      const { kind, name: given } = fieldsOf(resource.properties.roleRef);
      const name = textOf(given);
      const namespace = kind === 'Role' ? namespaceOf(resource) : '';
      // It is not known in the preview of what is still to be made.
      if (name === '' || harmless.includes(name) || powerful.test(name)) return [];
      return known.has(`${textOf(kind)} ${namespace}/${name}`)
        ? []
        : [
            {
              resource,
              what: `The role ${name} is not judged: it is none of Kubernetes' own, and not of this stack. Bind one of these.`,
            },
          ];
    });
}
