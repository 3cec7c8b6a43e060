import { fieldsOf, isRecord } from '../../components/resource/fields';
import type { Unread } from './facts';
import type { Registered } from './registered';
import { nameIn, textOf, typeIn } from './registered';

// What no fact is made of. Of the types below, these inputs are facts, or give nobody access; every other input of them, and every
// input of a type that is not here, is compared as a text. So what the program comes to use later is told, until it is understood.

/** All of it. */
const whole = [''];
const tagged = ['tags', 'location', 'resourceGroupName'];
const objectMeta = ['apiVersion', 'kind', 'metadata'];
/** How pods are run, and not what they run. */
const podSpec = 'spec.template.spec';
/** What containers are run with, and what the application is told. */
const ofContainer =
  /\.containers\[[^\]]+\]\.(name|resources|\w+Probe|ports|imagePullPolicy|volumeMounts|env\[[^\]]+\]\.(name|value|valueFrom\.(configMapKeyRef|fieldRef)))(\.|\[|$)/;

const read: readonly (readonly [type: RegExp, inputs: readonly string[]])[] = [
  [/^(aks-workload-identity|tls):/, whole],
  [/^pulumi:pulumi:Stack$/, whole],
  [
    /^pulumi:providers:(azure-native|azuread|tls|kubernetes)$/,
    ['__internal', 'version', 'clusterIdentifier', 'enableServerSideApply', 'subscriptionId', 'kubeconfig'],
  ],
  [/^azure-native:resources:ResourceGroup$/, whole],
  [/^azure-native:managedidentity:(UserAssigned|FederatedIdentityCredential)/, whole],
  [/^azure-native:authorization:(RoleAssignment|ManagementLockByScope|RoleDefinition)$/, whole],
  [/^azure-native:keyvault:(AccessPolicy|Secret)$/, whole],
  [
    /^azure-native:keyvault:Vault$/,
    [
      ...tagged,
      'vaultName',
      ...['tenantId', 'sku', 'enableSoftDelete', 'softDeleteRetentionInDays', 'enablePurgeProtection'].map(
        (one) => `properties.${one}`,
      ),
    ],
  ],
  [/^azure-native:(monitor:DiagnosticSetting|operationalinsights:Workspace|network:Private.*)$/, whole],
  [
    /^azure-native:containerservice:ManagedCluster$/,
    [
      ...[
        ...tagged,
        'resourceName',
        'dnsPrefix',
        'agentPoolProfiles',
        'autoUpgradeProfile',
        'sku',
        'kubernetesVersion',
      ],
      ...['networkProfile', 'nodeResourceGroup', 'autoScalerProfile', 'supportPlan'],
      ...['oidcIssuerProfile', 'securityProfile.workloadIdentity', 'identity'],
    ],
  ],
  [
    /^azuread:index\/(application|servicePrincipal|group|groupMember|\w+(Password|Certificate|Credential)):/,
    whole,
  ],
  [/^kubernetes:core\/v1:(Namespace|ServiceAccount|ServiceAccountPatch|Service|Secret)$/, whole],
  [/^kubernetes:scheduling\.k8s\.io\/v1:PriorityClass$/, whole],
  [/^kubernetes:core\/v1:ConfigMap$/, [...objectMeta, 'data.schedule.json']],
  [
    /^kubernetes:(aadpodidentity\.k8s\.io|secrets-store\.csi\.x-k8s\.io)\/\w+:(AzureIdentity|AzureIdentityBinding|SecretProviderClass)$/,
    whole,
  ],
  [
    /^kubernetes:apps\/v1:Deployment$/,
    [
      ...objectMeta,
      'spec.replicas',
      'spec.selector',
      'spec.strategy',
      'spec.template.metadata',
      ...[
        'affinity',
        'nodeSelector',
        'tolerations',
        'topologySpreadConstraints',
        'terminationGracePeriodSeconds',
        'priorityClassName',
      ].map((one) => `${podSpec}.${one}`),
    ],
  ],
  [
    /^kubernetes:helm\.sh\/v3:Release$/,
    [
      'checksum',
      'name',
      'namespace',
      'createNamespace',
      'timeout',
      'waitForJobs',
      'skipAwait',
      'resourceNames',
      'compat',
      'values.replicaCount',
      'values.resources',
    ],
  ],
  [/FlexibleServersAdministrator$/, whole],
  // Custom resources of Azure Service Operator: size and place of a service.
  [
    /^kubernetes:\w+\.azure\.com\//,
    [
      ...objectMeta,
      ...[
        'tags',
        'location',
        'sku',
        'version',
        'storage',
        'owner',
        'azureName',
        'highAvailability',
        'backup',
      ].map((one) => `spec.${one}`),
    ],
  ],
  [/^kubernetes:/, ['apiVersion', 'kind', 'metadata.annotations', 'metadata.labels']],
];

/** Kubeconfigs that the settings give: others may lead to another cluster. */
export function unreadOf({ urn, inputs }: Registered, shown: (value: unknown) => unknown): Unread[] {
  const type = typeIn(urn);
  const given = read.find(([pattern]) => pattern.test(type))?.[1] ?? [];
  if (given.includes('')) return [];
  const resource = `${type.slice(type.lastIndexOf(':') + 1)} ${nameIn(urn)}`;
  const found: Unread[] = [];
  // A chart in the project has its version in itself.
  const isOwnChart = /^\.{0,2}\//.test(textOf(inputs.chart));
  const look = (value: unknown, path: string): void => {
    if (given.includes(path) || (path === 'version' && isOwnChart) || value === undefined || value === null)
      return;
    if (ofContainer.test(path)) return;
    if (Array.isArray(value))
      value.forEach((one: unknown, index) => look(one, `${path}[${textOf(fieldsOf(one).name) || index}]`));
    else if (isRecord(value) && !isSecret(value))
      for (const [key, one] of Object.entries(value)) look(one, path === '' ? key : `${path}.${key}`);
    else
      found.push({
        resource,
        path,
        value: isRecord(value) ? 'a secret' : textOf(value) || JSON.stringify(value),
      });
  };
  look(shown(inputs), '');
  // That it is there at all, where nothing else says so.
  return found.length === 0 && given.length === 0 ? [{ resource, path: '', value: type }] : found;
}

/** Marks a secret in states and in requests (pulumi sdk/go/common/resource). */
export const secretMark = '4dabf18193072939515e22adb298388d';

const isSecret = (value: Record<string, unknown>): boolean => secretMark in value;
