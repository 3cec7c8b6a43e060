import * as z from 'zod';
import { isRange } from '../../network';
import { body, tags, withReadOnly } from '../body';

/** Name of the Secrets Store CSI driver's add-on. */
export const SECRETS_PROVIDER = 'azureKeyvaultSecretsProvider';

/** Stored and returned, without effect in the local cloud. */
const kept = z.record(z.string(), z.unknown()).optional();
/** Members that are stored and returned, without effect in the local cloud. */
function keptMembers<T extends string>(...names: T[]): Record<T, z.ZodOptional<z.ZodUnknown>> {
  return Object.fromEntries(names.map((name) => [name, z.unknown().optional()])) as never;
}
/** Like `kept`, without the password: Azure accepts it and never returns it. */
const keptWithout = (password: string) =>
  kept.transform((value) => {
    if (value === undefined) return undefined;
    const { [password]: _password, ...rest } = value;
    return rest;
  });
const flag = z.strictObject({ enabled: z.boolean().optional() }).optional();

/** Source: azure-rest-api-specs `specification/containerservice/resource-manager/…/aks`, AgentPool properties. */
const agentPool = withReadOnly(
  {
    name: z
      .string()
      .regex(
        /^[a-z][a-z0-9]{0,11}$/,
        'agent pool names have 1 to 12 lower-case letters and digits, a letter first',
      ),
    count: z.int().min(0).max(1000).optional(),
    vmSize: z.string().optional(),
    mode: z.enum(['System', 'User', 'Gateway']).optional(),
    type: z.enum(['VirtualMachineScaleSets', 'AvailabilitySet', 'VirtualMachines']).optional(),
    osType: z.enum(['Linux', 'Windows']).optional(),
    osSKU: z.string().optional(),
    osDiskSizeGB: z.int().optional(),
    osDiskType: z.string().optional(),
    kubeletDiskType: z.string().optional(),
    maxPods: z.int().optional(),
    minCount: z.int().optional(),
    maxCount: z.int().optional(),
    enableAutoScaling: z.boolean().optional(),
    enableEncryptionAtHost: z.boolean().optional(),
    enableFIPS: z.boolean().optional(),
    enableNodePublicIP: z.boolean().optional(),
    enableUltraSSD: z.boolean().optional(),
    availabilityZones: z.array(z.string()).optional(),
    orchestratorVersion: z.string().optional(),
    vnetSubnetID: z.string().optional(),
    podSubnetID: z.string().optional(),
    nodeLabels: z.record(z.string(), z.string()).optional(),
    nodeTaints: z.array(z.string()).optional(),
    scaleDownMode: z.string().optional(),
    scaleSetPriority: z.string().optional(),
    scaleSetEvictionPolicy: z.string().optional(),
    spotMaxPrice: z.number().optional(),
    tags,
    upgradeSettings: kept,
    securityProfile: kept,
    kubeletConfig: kept,
    linuxOSConfig: kept,
    networkProfile: kept,
    powerState: kept,
    ...keptMembers('workloadRuntime', 'messageOfTheDay', 'podIPAllocationMode', 'nodePublicIPPrefixID'),
    ...keptMembers('proximityPlacementGroupID', 'gpuInstanceProfile', 'gpuProfile', 'creationData'),
    ...keptMembers('capacityReservationGroupID', 'hostGroupID', 'windowsProfile', 'gatewayProfile'),
    ...keptMembers('artifactStreamingProfile', 'virtualMachinesProfile', 'localDNSProfile'),
  },
  [
    ...['provisioningState', 'currentOrchestratorVersion', 'nodeImageVersion', 'eTag', 'status'],
    'virtualMachineNodesStatus',
  ],
);

export type AgentPool = z.infer<typeof agentPool>;

/**
 * Source: azure-rest-api-specs `…/aks`, ManagedClusterAddonProfile. Settings of the Secrets Store add-on:
 * MicrosoftDocs/azure-aks-docs `csi-secrets-store-driver.md`.
 */
const addonProfiles = z
  .record(
    z.string(),
    withReadOnly({ enabled: z.boolean(), config: z.record(z.string(), z.string()).nullish() }, ['identity']),
  )
  .superRefine((addons, context) => {
    const path = [SECRETS_PROVIDER, 'config'];
    for (const [name, value] of Object.entries(addons[SECRETS_PROVIDER]?.config ?? {})) {
      const problem =
        name === 'enableSecretRotation'
          ? /^(true|false)$/.test(value)
            ? undefined
            : `is '${value}'; allowed are 'true' and 'false'`
          : name === 'rotationPollInterval'
            ? /^(\d+(\.\d+)?(s|m|h))+$/.test(value)
              ? undefined
              : `is '${value}'; a duration such as '2m' is needed`
            : 'is not known: allowed are enableSecretRotation and rotationPollInterval';
      if (problem !== undefined)
        context.addIssue({ code: 'custom', path: [...path, name], message: problem });
    }
  })
  .optional();

const aadProfile = z
  .strictObject({
    managed: z.boolean().optional(),
    enableAzureRBAC: z.boolean().optional(),
    adminGroupObjectIDs: z.array(z.guid('the object id of a group is a GUID')).optional(),
    tenantID: z.string().optional(),
    clientAppID: z.string().optional(),
    serverAppID: z.string().optional(),
    // A password: Azure accepts it and never returns it.
    serverAppSecret: z
      .string()
      .optional()
      .transform(() => undefined),
  })
  .optional();

/** Source: azure-rest-api-specs `…/aks`, ManagedClusterProperties.identityProfile: the only key is kubeletidentity. */
const identityProfile = z
  .strictObject({
    kubeletidentity: z
      .strictObject({
        resourceId: z.string(),
        clientId: z.string().optional(),
        objectId: z.string().optional(),
      })
      .optional(),
  })
  .optional();

const apiServerAccessProfile = z
  .strictObject({
    authorizedIPRanges: z
      .array(z.string().refine(isRange, 'an IPv4 address or CIDR range is needed'))
      .max(200, 'at most 200 authorized IP ranges are allowed')
      .optional(),
    enablePrivateCluster: z.boolean().optional(),
    privateDNSZone: z.string().optional(),
    enablePrivateClusterPublicFQDN: z.boolean().optional(),
    disableRunCommand: z.boolean().optional(),
    enableVnetIntegration: z.boolean().optional(),
    subnetId: z.string().optional(),
  })
  .optional();

const securityProfile = z
  .strictObject({
    workloadIdentity: flag,
    imageCleaner: kept,
    defender: kept,
    azureKeyVaultKms: kept,
    customCATrustCertificates: z.array(z.string()).optional(),
  })
  .optional();

const properties = withReadOnly(
  {
    kubernetesVersion: z
      .string()
      .regex(/^\d+\.\d+(\.\d+)?$/, "a Kubernetes version reads '1.36' or '1.36.3'")
      .optional(),
    dnsPrefix: z
      .string()
      .regex(
        /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,52}[a-zA-Z0-9])?$/,
        'dnsPrefix has 1 to 54 letters, digits and hyphens',
      )
      .optional(),
    agentPoolProfiles: z.array(agentPool).optional(),
    oidcIssuerProfile: withReadOnly({ enabled: z.boolean().optional() }, ['issuerURL']).optional(),
    securityProfile,
    nodeResourceGroup: z.string().max(80).optional(),
    enableRBAC: z.boolean().optional(),
    disableLocalAccounts: z.boolean().optional(),
    supportPlan: z.string().optional(),
    publicNetworkAccess: z.string().optional(),
    aadProfile,
    addonProfiles,
    apiServerAccessProfile,
    autoScalerProfile: kept,
    autoUpgradeProfile: kept,
    azureMonitorProfile: kept,
    identityProfile,
    ingressProfile: kept,
    linuxProfile: kept,
    metricsProfile: kept,
    networkProfile: kept,
    nodeProvisioningProfile: kept,
    nodeResourceGroupProfile: kept,
    servicePrincipalProfile: keptWithout('secret'),
    storageProfile: kept,
    upgradeSettings: kept,
    windowsProfile: keptWithout('adminPassword'),
    workloadAutoScalerProfile: kept,
    // `podIdentityProfile` is refused: it would install aad-pod-identity.
    ...keptMembers('fqdnSubdomain', 'diskEncryptionSetID', 'privateLinkResources', 'httpProxyConfig'),
    ...keptMembers('serviceMeshProfile', 'bootstrapProfile', 'aiToolchainOperatorProfile'),
    ...keptMembers('schedulerProfile', 'hostedSystemProfile'),
  },
  [
    'provisioningState',
    'powerState',
    'currentKubernetesVersion',
    'fqdn',
    'azurePortalFQDN',
    'privateFQDN',
    'maxAgentPools',
    'resourceUID',
    'status',
  ],
);

const identity = withReadOnly(
  {
    type: z.enum(['SystemAssigned', 'UserAssigned', 'None']),
    userAssignedIdentities: z.record(z.string(), z.unknown()).optional(),
  },
  ['principalId', 'tenantId'],
).optional();

export const clusterBody = body({
  eTag: z
    .unknown()
    .optional()
    .transform(() => undefined),
  location: z.string(),
  tags,
  kind: z.string().optional(),
  sku: z
    .strictObject({
      name: z.enum(['Base', 'Automatic']).optional(),
      tier: z.enum(['Free', 'Standard', 'Premium']).optional(),
    })
    .optional(),
  identity,
  properties: properties.optional(),
});

export type ClusterBody = z.infer<typeof clusterBody>;

export const clusterTagsBody = z.strictObject({ tags });
