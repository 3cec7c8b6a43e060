import {
  certManagerChart,
  podIdentityChart,
  serviceOperatorChart,
  workloadIdentityWebhookChart,
} from '../../components/platform/vendorCharts';

// Inputs of resources that are read as facts, or that cannot give access.

/** The understood inputs of a type. */
export interface Understood {
  /** Matches the types in the URN: those of the parent components and the resource's own. */
  readonly type: RegExp;
  /** Paths of the understood inputs; `whole` for all of them. */
  readonly inputs: readonly (string | RegExp)[];
  /** No report if such a resource is gone, or if it is new or gone. Default: report both. */
  readonly silent?: 'gone' | 'both';
}

/** All inputs. */
export const whole = '';

const tagged = ['tags', 'location', 'resourceGroupName'];
const objectMeta = ['apiVersion', 'kind', 'metadata'];

/** The first match applies. */
export const understood: readonly Understood[] = [
  { type: /(^|\$)(aks-workload-identity|tls):[^$]*$/, inputs: [whole] },
  // A conversion webhook sees all objects.
  { type: /CustomResourceDefinition$/, inputs: [...objectMeta, /^spec\.(?!conversion\b)./], silent: 'gone' },
  // Objects of others, which the settings name as files: every change is reported.
  {
    type: /:hypershift:HyperShiftOperator\$/,
    inputs: ['apiVersion', 'kind', 'metadata.annotations', 'metadata.labels', 'metadata.name'],
  },
  // Values of the platform components' releases: their identities are read as facts.
  {
    type: /:(platform|podIdentity):\w+\$kubernetes:helm\.sh.*Release$/,
    inputs: [
      /^(checksum|name|namespace|createNamespace|timeout|waitForJobs|skipAwait|resourceNames|compat)\b/,
      /^values($|\.azure\w+$|\.crdPattern$|\.useWorkloadIdentityAuth$)|replicaCount$|replicas$/,
    ],
    silent: 'gone',
  },
  { type: /:podIdentity:TokenEvents\$kubernetes:rbac/, inputs: [whole] },
  // Read as facts.
  { type: /:identity:IdentityBinding\$kubernetes:rbac/, inputs: [whole] },
  { type: /(^|\$)azure-native:containerservice:IdentityBinding$/, inputs: [whole] },
  { type: /:platform:ServiceOperator\$kubernetes:managedidentity/, inputs: [whole] },
  { type: /(^|\$)pulumi:(pulumi:Stack|providers:(azure-native|azuread|tls|kubernetes))$/, inputs: [whole] },
  { type: /(^|\$)azure-native:resources:ResourceGroup$/, inputs: [whole] },
  { type: /(^|\$)azure-native:managedidentity:(UserAssigned|FederatedIdentityCredential)/, inputs: [whole] },
  {
    type: /(^|\$)azure-native:authorization:(RoleAssignment|ManagementLockByScope|RoleDefinition)$/,
    inputs: [whole],
  },
  { type: /(^|\$)azure-native:keyvault:(AccessPolicy|Secret)$/, inputs: [whole] },
  {
    type: /(^|\$)azure-native:keyvault:Vault$/,
    inputs: [
      ...[...tagged, 'vaultName'],
      ...['tenantId', 'sku', 'enableSoftDelete', 'softDeleteRetentionInDays', 'enablePurgeProtection'].map(
        (name) => `properties.${name}`,
      ),
    ],
    silent: 'gone',
  },
  { type: /(^|\$)azure-native:(monitor:DiagnosticSetting|operationalinsights:Workspace)$/, inputs: [whole] },
  {
    type: /(^|\$)azure-native:containerservice:ManagedCluster$/,
    inputs: [
      ...[...tagged, 'resourceName', 'dnsPrefix', 'agentPoolProfiles', 'autoUpgradeProfile', 'sku'],
      ...['kubernetesVersion', 'networkProfile', 'nodeResourceGroup', 'autoScalerProfile', 'supportPlan'],
      ...['oidcIssuerProfile', 'securityProfile.workloadIdentity', 'identity'],
      'addonProfiles.azureKeyvaultSecretsProvider',
    ],
    silent: 'gone',
  },
  // The deploying account owns what the program creates.
  { type: /aks-workload-identity:\S+\$azuread:index\/(application|servicePrincipal):/, inputs: [whole] },
  {
    type: /(^|\$)azuread:index\/(application|servicePrincipal|group):/,
    inputs: [/^(?!(owners|members|password|dynamicMembership|assignableToRole)\b)./],
    silent: 'gone',
  },
  { type: /(^|\$)azuread:index\/(groupMember|\w+(Password|Certificate|Credential)):/, inputs: [whole] },
  {
    type: /(^|\$)kubernetes:core\/v1:(Namespace|ServiceAccount|ServiceAccountPatch|Service)$/,
    inputs: [whole],
  },
  {
    // Only its namespace counts: whoever reads the secrets there has its values.
    type: /(^|\$)kubernetes:core\/v1:Secret$/,
    inputs: ['apiVersion', 'kind', 'type', 'immutable', 'data', 'stringData', /^metadata\.(?!namespace)/],
    silent: 'both',
  },
  { type: /(^|\$)kubernetes:scheduling\.k8s\.io\/v1:PriorityClass$/, inputs: [whole] },
  {
    type: /(^|\$)kubernetes:core\/v1:ConfigMap$/,
    inputs: [...objectMeta, 'data[schedule.json]', 'data[connections.json]'],
    silent: 'both',
  },
  {
    type: /(^|\$)kubernetes:(aadpodidentity|secrets-store\.csi\.x-k8s)\S+:(AzureIdentity|AzureIdentityBinding|SecretProviderClass)$/,
    inputs: [whole],
  },
  {
    // The identity of its pods follows from the trust in their service account.
    type: /(^|\$)kubernetes:apps\/v1:Deployment$/,
    inputs: [
      ...[
        ...objectMeta,
        'spec.progressDeadlineSeconds',
        'spec.replicas',
        'spec.selector',
        'spec.strategy',
        'spec.template.metadata',
      ],
      /^spec\.template\.spec\.(serviceAccountName|affinity|nodeSelector|tolerations|topologySpreadConstraints|terminationGracePeriodSeconds|priorityClassName)\b/,
      /\.containers\[[^\]]+\]\.(name|resources|\w+Probe|ports|imagePullPolicy|volumeMounts|command|args)\b/,
      /\.env\[[^\]]+\]\.(name|valueFrom\.(configMapKeyRef|fieldRef))\b/,
      // Variables that the program sets.
      /\.env\[(KEY_VAULT_URI|SECRET_NAMES|INTERVAL_SECONDS|AZURE_(CLIENT|TENANT)_ID|AZURE_FEDERATED_TOKEN_FILE|AZURE_AUTHORITY_HOST|AZURE_CLIENT_CERTIFICATE_PATH)\]/,
      /\.volumes\[[^\]]+\]\.(name|projected|configMap|emptyDir|csi)\b/,
      /\.volumes\[credential\]/,
    ],
    silent: 'both',
  },
  {
    type: /(^|\$)kubernetes:helm\.sh\/v3:Release$/,
    inputs: [
      ...['checksum', 'name', 'namespace', 'createNamespace', 'timeout', 'waitForJobs', 'skipAwait'],
      ...['resourceNames', 'compat', 'values.replicaCount'],
    ],
    silent: 'gone',
  },
  { type: /(FlexibleServersAdministrator|RedisAccessPolicyAssignment)$/, inputs: [whole] },
  {
    // Custom resources of Azure Service Operator: the size and location of a service.
    type: /(^|\$)kubernetes:\w+\.azure\.com[/:]/,
    inputs: [
      ...objectMeta,
      /^spec\.(tags|location|kind|sku|version|storage|owner|azureName|highAvailability|backup|minimumTlsVersion|enableNonSslPort|supportsHttpsTrafficOnly)\b/,
      /^spec\.operatorSpec\.configMap|^spec\.redisConfiguration\.aad-enabled$|^spec\.properties\.(enableSoftDelete|softDeleteRetentionInDays|enablePurgeProtection|sku|tenantId)\b/,
    ],
    silent: 'gone',
  },
  { type: /AzurePodIdentityException$/, inputs: [...objectMeta], silent: 'gone' },
  { type: /HostedCluster$/, inputs: [...objectMeta, /objectEncoding$/], silent: 'gone' },
  { type: /(^|\$)kubernetes:/, inputs: ['apiVersion', 'kind', 'metadata.annotations', 'metadata.labels'] },
];

/** A change that reduces access or does not affect it. */
export interface Less {
  readonly path: RegExp;
  /** The earlier value; `not there` for a new input. Default: any. */
  readonly from?: RegExp;
  readonly to: RegExp;
}

const gone = /^not there$/;

const vendorCharts = [certManagerChart, serviceOperatorChart, podIdentityChart, workloadIdentityWebhookChart];
const exactly = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);

export const lesser: readonly Less[] = [
  { path: /publicNetworkAccess$/i, to: /^Disabled$/ },
  // Roles replace access policies. None of these roles is in use yet.
  { path: /properties\.enableRbacAuthorization$/, from: gone, to: /^true$/ },
  { path: /networkAcls\.defaultAction$/, to: /^Deny$/ },
  { path: /networkAcls\.bypass$/, to: /^None$/ },
  { path: /networkAcls\.(ipRules|virtualNetworkRules)\[/, to: gone },
  { path: /networkAcls\.virtualNetworkRules$/, to: /^\[\]$/ },
  { path: /^disableLocalAccounts$|^enableRBAC$/, to: /^true$/ },
  // Defaults of Azure.
  { path: /^disableLocalAccounts$/, from: gone, to: /^false$/ },
  { path: /publicNetworkAccess$/i, from: gone, to: /^Enabled$/ },
  { path: /properties\.enabledFor\w+$/, to: /^false$/ },
  { path: /^aadProfile\.(managed|enableAzureRBAC)$/, from: gone, to: /./ },
  { path: /^aadProfile\.adminGroupObjectIDs\[/, to: gone },
  { path: /^spec\.allowSharedKeyAccess$|^spec\.allowBlobPublicAccess$/, to: /^false$/ },
  { path: /^spec\.disable(LocalAuth|AccessKeyAuthentication)$/, to: /^true$/ },
  { path: /^level$/, to: /^mandatory$/ },
  // The vendors' charts, from the vendors' repositories.
  ...vendorCharts.flatMap(({ chart, repository = '' }): Less[] => [
    { path: /^chart$/, from: gone, to: exactly(chart) },
    { path: /^repositoryOpts\.repo$/, from: gone, to: exactly(repository) },
  ]),
  { path: /^version$/, from: gone, to: /./ },
];

/** Restrictions: adding the first entry, or removing one of several, reduces access. */
export const restrictions: readonly string[] = [
  'properties.networkAcls.',
  'apiServerAccessProfile.authorizedIPRanges[',
];
