import { managedIdentityNames } from '../../components/hypershift/components';
import { isRecord } from '../../components/resource/fields';
import type { HostedClusterPlan } from '../plan';
import { credentialSecrets, everyIdentity, hasOwnVault } from '../plan';
import type { Path, Problem } from '../settings/problem';
import { formatPath, valueAt } from '../settings/problem';
import type { Check, Given, Placed } from './context';
import { check, inCase, refusedName, repeated } from './context';
import { unknownCluster } from './selections';

type Hosted = Given['hostedClusters'][number];

export const hostedClusterChecks: readonly Check[] = [
  check(['clusters'], function* (given) {
    for (const { path, managementCluster: name, ...hosted } of given.hostedClusters) {
      const cluster = given.clusters.find((one) => one.name === name);
      if (cluster === undefined) yield unknownCluster([...path, 'managementCluster'], name, given.clusters);
      else if (
        cluster.mode === 'external' &&
        hosted.authentication === 'ManagedIdentities' &&
        hosted.reader === undefined
      )
        yield {
          path: [...path, 'reader'],
          what: `is missing: ${name} is no cluster of AKS, and has no add-on whose identity could read the vault`,
          allowed: '{ existing: <resource id of an identity on the nodes of the cluster> }',
          remedy: 'Name the identity that HyperShift was installed with (ARO_HCP_KEY_VAULT_USER_CLIENT_ID).',
        };
    }
  }),

  check([], function* ({ hostedClusters }) {
    for (const hosted of hostedClusters) {
      yield* componentProblems(hosted);
      yield* specProblems(hosted);
      if (hosted.authentication !== 'ManagedIdentities') continue;
      const { validityDays, renewBeforeDays } = hosted.certificates;
      if (renewBeforeDays >= validityDays)
        yield {
          path: [...hosted.path, 'certificates', 'renewBeforeDays'],
          value: String(renewBeforeDays),
          what: `leaves no time between a certificate and the next one, as each is valid for ${validityDays} days`,
          allowed: `fewer days than \`validityDays\`, which is ${validityDays}`,
          remedy: 'Lower it, or raise `validityDays`.',
        };
    }
  }),

  /** An access policy would let the nodes read every secret of the vault. */
  check(['vault'], function* ({ hostedClusters, vault }) {
    const reading = hostedClusters.find(({ authentication }) => authentication === 'ManagedIdentities');
    if (reading !== undefined && vault.access !== 'rbac')
      yield {
        path: ['vault', 'access'],
        value: JSON.stringify(vault.access),
        what: `does not do for the credentials of ${formatPath(reading.path)}: their reader would read all other secrets as well`,
        allowed: 'rbac',
        remedy: 'Set `access: rbac`, or give the hosted clusters a stack of their own.',
      };
  }),

  /** Each secret has one owner. Key Vault compares names without regard to case. */
  check(['vaults', 'vault'], function* (settings) {
    const { hostedClusters, applications } = settings;
    const ofApplications = applications
      .filter((application) => !hasOwnVault(settings, application))
      .flatMap(({ path, secrets }) => secrets.map((secret) => ({ secret, path, of: formatPath(path) })));
    const ofHosted = hostedClusters.flatMap((hosted) =>
      credentialSecrets([hosted]).map((secret) => ({
        secret,
        path: hosted.path,
        of: `the credentials of ${formatPath(hosted.path)}`,
      })),
    );
    const own = new Set(ofHosted);
    for (const { item, first } of repeated([...ofApplications, ...ofHosted], (one) =>
      one.secret.toLowerCase(),
    ))
      if (own.has(item))
        yield {
          path: [...item.path, 'components'],
          value: JSON.stringify(item.secret),
          what: `would have the name of a secret of ${first.of}${inCase(item.secret, first.secret)}`,
          allowed: 'a secret of its own for each component',
          remedy: 'Set another `secretName` on the component.',
        };
  }),

  check(['plan'], function* ({ plan, hostedClusters, environment }) {
    const placed = plan.clusters.flatMap((cluster) =>
      cluster.hostedClusters.map((one) => ({ ...one, path: pathOf(one, hostedClusters) })),
    );
    for (const { path, controlPlaneNamespace, ...hosted } of placed) {
      yield* refusedName(
        'namespace',
        controlPlaneNamespace,
        [...path, 'name'],
        'HyperShift makes it of the names of the namespace and of the hosted cluster: shorten one of them.',
      );
      for (const name of managedIdentityNames(hosted.identityPrefix, hosted.components, hosted.certificates))
        yield* refusedName(
          'userAssignedIdentity',
          name,
          [...path, 'name'],
          `It is made of the stack's name ("${environment}") and the hosted cluster's: shorten one of them.`,
        );
    }
    yield* takenNames(plan.clusters.flatMap(everyIdentity), placed);
  }),
];

/** An identity of a hosted cluster with the name of another identity of the stack. */
function* takenNames(
  identities: readonly { readonly azureName: string; readonly applications: readonly string[] }[],
  hosted: readonly Placed<HostedClusterPlan>[],
): Generator<Problem> {
  const taken = new Set(identities.map(({ azureName }) => azureName.toLowerCase()));
  for (const { path, identityPrefix, components, certificates } of hosted)
    for (const name of managedIdentityNames(identityPrefix, components, certificates))
      if (taken.has(name.toLowerCase()))
        yield {
          path: [...path, 'name'],
          what: `gives an identity the name "${name}", which an application's identity has already`,
          remedy: 'Rename the hosted cluster.',
        };
}

function pathOf({ settings }: HostedClusterPlan, all: readonly Hosted[]): Path {
  return all.find(({ name }) => name === settings.name)?.path ?? [];
}

/** Settings of components that get no identity. */
function* componentProblems(hosted: Hosted): Generator<Problem> {
  const off = [
    ...(hosted.kms === undefined ? [['kms', 'there is no key: set `kms`'] as const] : []),
    ...(hosted.authentication === 'ManagedIdentities' && !hosted.imageRegistry
      ? [['imageRegistry', 'it is off: remove `imageRegistry: false`'] as const]
      : []),
  ];
  for (const [component, why] of off)
    if (hosted.components[component] !== undefined)
      yield {
        path: [...hosted.path, 'components', component],
        what: `is of a component without an identity, since ${why}`,
        remedy: 'Remove it, or do that.',
      };
}

/** What the settings say already; a `spec` with something else would be a second truth. */
const given: readonly Path[] = [
  ['issuerURL'],
  ['platform', 'type'],
  ['platform', 'azure', 'azureAuthenticationConfig'],
  ['platform', 'azure', 'resourceGroup'],
  ['platform', 'azure', 'subnetID'],
  ['platform', 'azure', 'vnetID'],
  ['platform', 'azure', 'securityGroupID'],
  ['platform', 'azure', 'subscriptionID'],
  ['platform', 'azure', 'tenantID'],
  ['secretEncryption', 'kms', 'azure', 'activeKey'],
  ['secretEncryption', 'kms', 'azure', 'kms'],
  ['secretEncryption', 'kms', 'azure', 'workloadIdentity'],
];

function* specProblems({ spec, path }: Hosted): Generator<Problem> {
  if (spec === undefined || !isRecord(spec)) return;
  for (const field of given)
    if (valueAt(spec, field) !== undefined)
      yield {
        path: [...path, 'spec', ...field],
        what: 'follows from the settings of the hosted cluster',
        remedy: 'Remove it.',
      };
}
