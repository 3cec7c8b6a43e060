import { rolesGivingAccess } from '../../components/azure/roles';
import type { HostedClusterComponent } from '../../components/hypershift/components';
import { isRecord } from '../../components/resource/fields';
import type { HostedClusterPlan } from '../plan';
import { componentsOff, everyIdentity, hostedComponents, usesExistingNamespace } from '../plan';
import { applicationPath } from '../settings/places';
import type { Path, Problem } from '../settings/problem';
import { formatPath, valueAt } from '../settings/problem';
import type { Check, CheckInput, OwnedSecret } from './context';
import { disagreement, refusedName, repeated } from './context';
import { groupsWithAccess } from './groupsWithAccess';
import { createdForOthers } from './identities';
import { sameNames } from './names';
import { unknownCluster } from './selections';
import { validityProblems } from './validity';

type Hosted = CheckInput['hostedClusters'][number];

export const hostedClusterChecks: readonly Check[] = [
  function* (input) {
    for (const { path, managementCluster: name, ...hosted } of input.hostedClusters) {
      const cluster = input.clusters.find((other) => other.name === name);
      if (cluster === undefined) yield unknownCluster([...path, 'managementCluster'], name, input.clusters);
      else if (
        cluster.mode === 'external' &&
        hosted.authentication === 'ManagedIdentities' &&
        hosted.reader === undefined
      )
        yield {
          path: [...path, 'reader'],
          what: `is missing: ${name} is not an AKS cluster and has no add-on whose identity could read the vault`,
          allowed: "{ existing: <resource id of an identity on the cluster's nodes> }",
          hint: 'Set the identity that HyperShift was installed with (ARO_HCP_KEY_VAULT_USER_CLIENT_ID).',
        };
    }
  },

  function* (all) {
    const { hostedClusters } = all;
    yield* sameNames(hostedClusters, 'Give each hosted cluster its own name.');
    for (const hosted of hostedClusters) {
      yield* componentProblems(hosted);
      yield* specProblems(hosted);
      if (hosted.authentication !== 'ManagedIdentities') continue;
      yield* validityProblems([...hosted.path, 'certificates'], hosted.certificates, 'certificate');
      if (hosted.reader === undefined) continue;
      const { id } = hosted.reader.existing;
      yield* createdForOthers(all, [{ path: [...hosted.path, 'reader', 'existing'], id }]);
    }
  },

  /** An access policy would let the nodes read every secret of the vault. */
  function* ({ hostedClusters, vault }) {
    const reading = hostedClusters.find(({ authentication }) => authentication === 'ManagedIdentities');
    if (reading !== undefined && vault.access !== 'rbac')
      yield {
        path: ['vault', 'access'],
        what: `cannot hold the credentials of ${formatPath(reading.path)}: the identity that reads them could read all other secrets as well`,
        allowed: 'rbac',
        hint: 'Set `access: rbac`, or give the hosted clusters a stack of their own.',
      };
  },

  /** The components of a hosted cluster may change everything in its resource group, but may not give access. */
  function* (input) {
    const { plan, resourceGroup: own, hostedClusters, location } = input;
    const held = groupsWithAccess(plan, own.name, location);
    for (const { path, resourceGroup, components } of hostedClusters) {
      const what = held.get(resourceGroup.name.toLowerCase());
      if (what !== undefined)
        yield {
          path: [...path, 'resourceGroup'],
          what: `is ${what}: the components of the hosted cluster could change them`,
          allowed: 'a group for the hosted cluster',
          hint: 'Name another.',
        };
      for (const [component, { role = '' }] of Object.entries(components)) {
        const giving = rolesGivingAccess[role.toLowerCase()];
        if (giving !== undefined)
          yield {
            path: [...path, 'components', component, 'role'],
            what: `is ${giving}, which lets the component assign roles to itself and to others`,
            allowed: 'roles that cannot grant access',
            hint: "Name another, or remove it to get the component's default role.",
          };
      }
    }
  },

  function* ({ plan, environment }) {
    const placed = plan.clusters.flatMap((cluster) => cluster.hostedClusters);
    for (const { path, controlPlaneNamespace, managedIdentities } of placed) {
      yield* refusedName(
        'namespace',
        controlPlaneNamespace,
        [...path, 'name'],
        'HyperShift builds it from the names of the namespace and the hosted cluster: shorten one of them.',
      );
      for (const name of managedIdentities)
        yield* refusedName(
          'userAssignedIdentity',
          name,
          [...path, 'name'],
          `It consists of the names of the stack ("${environment}") and the hosted cluster: shorten one of them.`,
        );
    }
    yield* takenNames(plan.clusters.flatMap(everyIdentity), placed);
  },

  /** On one cluster, a namespace is either created or existing, and contains at most one control plane. */
  function* ({ plan, applications }) {
    for (const { hostedClusters: here, settings: cluster, workloads } of plan.clusters) {
      const uses = [
        ...workloads.map(({ application, namespace }) => ({
          ...{ path: applicationPath({ applications }, application.name), name: namespace, isHosted: false },
          existing: usesExistingNamespace(application),
        })),
        ...here.flatMap(({ path, namespaces }) =>
          namespaces.map(({ name, existing }) => ({ path, name, isHosted: true, existing })),
        ),
      ];
      for (const { item, first } of repeated(uses, ({ name }) => name)) {
        if (!item.isHosted) continue;
        if (item.existing !== first.existing)
          yield disagreement(item.name, item, first, cluster.name, 'without `existing`');
        else if (!item.existing && !first.isHosted)
          yield {
            path: [...item.path, 'namespace'],
            value: JSON.stringify(item.name),
            what: `is the namespace of ${formatPath(first.path)} on ${cluster.name}, but a namespace with hosted clusters is never deleted`,
            allowed: 'a namespace that no application uses, or an existing one',
            hint: `Set another \`namespace\`, or write \`namespace: { name: ${item.name}, existing: true }\` in both.`,
          };
      }
      for (const { application, namespace } of workloads) {
        const hosted = here.find(({ controlPlaneNamespace }) => controlPlaneNamespace === namespace);
        if (hosted !== undefined)
          yield {
            path: [...applicationPath({ applications }, application.name), 'namespace'],
            value: JSON.stringify(namespace),
            what: `is the namespace of the control plane of ${hosted.settings.name} on ${cluster.name}: the application's pods could use its secrets and identities`,
            allowed: 'a namespace without a control plane',
            hint: 'Set another `namespace`.',
          };
      }
      for (const { item, first } of repeated(here, (hosted) => hosted.controlPlaneNamespace))
        yield {
          path: [...item.path, 'name'],
          what: `gives its control plane the namespace ${item.controlPlaneNamespace}, which is that of ${formatPath(first.path)}`,
          hint: 'Rename it, or set another `namespace`: HyperShift builds the name from both.',
        };
    }
  },
];

/** Returns the secrets with the credentials of components. */
export function hostedSecrets({ hostedClusters, vault }: CheckInput): OwnedSecret[] {
  return hostedClusters.flatMap((hosted) =>
    hostedComponents(hosted).flatMap(({ component, secret }) => {
      const path = [...hosted.path, 'components', component, 'secretName'];
      return secret === undefined ? [] : [{ vault: vault.name, secret, path }];
    }),
  );
}

/** Yields problems of identities of hosted clusters that have the name of another identity of the stack. */
function* takenNames(
  identities: readonly { readonly azureName: string; readonly applications: readonly string[] }[],
  hosted: readonly HostedClusterPlan[],
): Generator<Problem> {
  const taken = new Set(identities.map(({ azureName }) => azureName.toLowerCase()));
  for (const { path, managedIdentities } of hosted)
    for (const name of managedIdentities)
      if (taken.has(name.toLowerCase()))
        yield {
          path: [...path, 'name'],
          what: `gives an identity the name "${name}", which an application's identity already has`,
          hint: 'Rename the hosted cluster.',
        };
}

/** Yields problems of settings for components that get no identity. */
function* componentProblems(hosted: Hosted): Generator<Problem> {
  const off: HostedClusterComponent[] = [
    ...(hosted.kms === undefined ? (['kms'] as const) : []),
    ...componentsOff(hosted),
  ];
  for (const component of off)
    if (hosted.components[component] !== undefined)
      yield {
        path: [...hosted.path, 'components', component],
        what: 'has no effect: the component gets no identity',
        hint: `Set \`${component}${component === 'kms' ? '`, the key' : ': true`'}, or remove this.`,
      };
}

/** Fields of `spec` that other settings determine. A value in `spec` would conflict with them. */
const determined: readonly Path[] = [
  ['issuerURL'],
  ['platform', 'type'],
  ...[
    ...['azureAuthenticationConfig', 'cloud', 'resourceGroup', 'subnetID', 'vnetID'],
    ...['securityGroupID', 'subscriptionID', 'tenantID'],
  ].map((field) => ['platform', 'azure', field]),
];
const determinedByKms: readonly Path[] = [
  ['secretEncryption', 'type'],
  ['secretEncryption', 'aescbc'],
  ['secretEncryption', 'kms', 'provider'],
  ...['activeKey', 'kms', 'workloadIdentity'].map((field) => ['secretEncryption', 'kms', 'azure', field]),
];

function* specProblems({ spec, kms, path, ...hosted }: Hosted): Generator<Problem> {
  if (spec === undefined) return;
  for (const field of [['platform'], ['platform', 'azure'], ['secretEncryption']]) {
    const value = valueAt(spec, field);
    if (value !== undefined && !isRecord(value))
      yield {
        path: [...path, 'spec', ...field],
        what: 'must be an object: the stack writes the identities into it',
        allowed: 'an object',
        hint: 'Correct it, or remove it.',
      };
  }
  const isPrivate = [
    valueAt(spec, ['platform', 'azure', 'private']) !== undefined && 'private',
    !['Public', undefined].includes(valueAt(spec, ['platform', 'azure', 'topology']) as string) && 'topology',
  ].find((field) => field !== false);
  if (isPrivate !== undefined && componentsOff({ ...hosted, spec, kms }).includes('controlPlaneOperator'))
    yield {
      path: [...path, 'controlPlaneOperator'],
      what: `is missing: with \`spec.platform.azure.${isPrivate}\`, the control plane operator creates private endpoints with its own identity`,
      allowed: 'true',
      hint: 'Set `controlPlaneOperator: true`.',
    };
  const here = (fields: readonly Path[]) => fields.filter((field) => valueAt(spec, field) !== undefined);
  for (const field of here([...determined, ...(kms === undefined ? [] : determinedByKms)]))
    yield {
      path: [...path, 'spec', ...field],
      what: 'follows from the other settings of the hosted cluster',
      hint: 'Remove it.',
    };
  for (const field of kms === undefined ? here(determinedByKms.slice(3)) : [])
    yield {
      path: [...path, 'spec', ...field],
      what: 'names a key or an identity that the stack does not manage',
      hint: 'Set `kms` on the hosted cluster instead: the stack gives the KMS plugin an identity and its role.',
    };
}
