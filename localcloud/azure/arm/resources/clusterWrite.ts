import { createHash, randomUUID } from 'node:crypto';
import { TENANT_ID } from '../../../identity';
import type { ResourceDocument } from '../../store/documents';
import { defined } from '../body';
import type { ArmContext } from '../context';
import { managedPrincipal } from '../context';
import type { ArmCall } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { parseResourceId } from '../resourceId';
import { RULES_SINCE } from '../versionChanges';
import { CLUSTER_TYPE, hasIssuer, issuerOf } from './clusterLifecycle';
import type { AgentPool, ClusterBody } from './clusterSchema';
import { refuseUnchangeable } from './clusterUnchangeable';
import { currentVersion, KUBERNETES_MINOR } from './clusterVersion';
import type { WriteTarget } from './groupResource';
import { GroupResource } from './groupResource';
import { checkLinkedAccess } from './linkedAccess';

/** The resource type of managed clusters. */
export const managedClusters = new GroupResource(CLUSTER_TYPE, 'resourceName');

const IDENTITY = 'Microsoft.ManagedIdentity/userAssignedIdentities';

function agentPools(
  apiVersion: string,
  requested: AgentPool[] | undefined,
  existing: ResourceDocument | undefined,
  version: string,
): unknown {
  const current = (existing?.properties['agentPoolProfiles'] as AgentPool[] | undefined) ?? [];
  const modes = apiVersion >= RULES_SINCE.systemPools;
  const heldMode = (name: string) => current.find((pool) => pool.name === name)?.mode;
  // In older API versions, clusters have User pools only. An update is assumed to keep the mode of a pool.
  // Pools that a request omits stay (pulumi/pulumi-azure-native, documentation of ManagedCluster and AgentPool).
  const left = current.filter(({ name }) => requested?.every((pool) => pool.name !== name) ?? true);
  const pools = [...(requested ?? []), ...left].map((pool) =>
    modes ? pool : { ...pool, mode: pool.mode ?? heldMode(pool.name) ?? 'User' },
  );
  if (modes && !pools.some((pool) => pool.mode === 'System')) {
    throw new ArmError(
      400,
      'InvalidParameter',
      'The value of parameter agentPoolProfiles is invalid: a cluster needs at least one agent pool of mode System.',
      { target: 'properties.agentPoolProfiles' },
    );
  }
  return pools.map((pool) => ({
    count: 1,
    osDiskSizeGB: 128,
    osDiskType: 'Managed',
    osType: 'Linux',
    osSKU: 'Ubuntu',
    maxPods: 250,
    type: 'VirtualMachineScaleSets',
    enableFIPS: false,
    ...pool,
    orchestratorVersion: pool.orchestratorVersion ?? version,
    currentOrchestratorVersion: pool.orchestratorVersion ?? version,
    provisioningState: 'Succeeded',
    powerState: { code: 'Running' },
  }));
}

/** The cluster's identity: system-assigned, or an existing user-assigned one that the caller may assign. */
function clusterIdentity(
  context: ArmContext,
  call: ArmCall,
  requested: ClusterBody['identity'],
  id: string,
  name: string,
  existing: ResourceDocument | undefined,
): Record<string, unknown> | undefined {
  const current = existing?.extra?.['identity'] as { type?: string; principalId?: string } | undefined;
  if (requested === undefined) return current;
  if (requested.type === 'None') return { type: 'None' };
  if (requested.type === 'SystemAssigned') {
    const principalId = current?.principalId ?? randomUUID();
    if (!context.store.principals.has(principalId)) {
      context.store.principals.set(principalId, managedPrincipal(principalId, randomUUID(), name, id));
    }
    return { type: 'SystemAssigned', principalId, tenantId: TENANT_ID };
  }
  const assigned: Record<string, unknown> = {};
  const ids = Object.keys(requested.userAssignedIdentities ?? {});
  if (ids.length !== 1) {
    throw badRequest(
      `A cluster has exactly one user-assigned identity; the request has ${ids.length}.`,
      'identity',
    );
  }
  for (const identityId of ids) {
    const identity = context.store.resources.get(identityId);
    if (identity?.type !== IDENTITY) {
      const parsed = parseResourceId(identityId);
      throw new ArmError(
        404,
        'ResourceNotFound',
        `The identity '${identityId}' that the cluster names was not found in resource group '${parsed?.resourceGroup ?? ''}'.`,
        { target: 'identity.userAssignedIdentities' },
      );
    }
    checkLinkedAccess(
      context,
      call,
      { action: `${CLUSTER_TYPE}/write`, scope: id },
      { action: `${IDENTITY}/assign/action`, scopes: [identity.id] },
    );
    assigned[identity.id] = {
      clientId: identity.properties['clientId'],
      principalId: identity.properties['principalId'],
    };
  }
  return { type: 'UserAssigned', userAssignedIdentities: assigned };
}

function checkProfiles(
  requested: ClusterBody['properties'],
  existing: ResourceDocument | undefined,
): boolean {
  const had = existing !== undefined && hasIssuer(existing);
  const wants = requested?.oidcIssuerProfile?.enabled;
  if (had && wants === false) {
    throw new ArmError(
      400,
      'OIDCIssuerFeatureCannotBeDisabled',
      'OIDC issuer feature cannot be disabled: tokens that name the issuer are trusted by others.',
      { target: 'properties.oidcIssuerProfile.enabled' },
    );
  }
  const issuer = wants ?? had;
  if (requested?.securityProfile?.workloadIdentity?.enabled === true && !issuer) {
    throw badRequest(
      "'securityProfile.workloadIdentity.enabled' needs 'oidcIssuerProfile.enabled': true.",
      'properties.securityProfile.workloadIdentity',
    );
  }
  return issuer;
}

/** The cluster that a PUT requests, merged with the existing one. */
export function clusterFrom(
  context: ArmContext,
  call: ArmCall,
  target: WriteTarget,
  body: ClusterBody,
): ResourceDocument {
  const { group, id, name, existing } = target;
  const base = managedClusters.written(context, call, target, body);
  const requested = body.properties;
  const changes = defined(requested ?? {});
  const current = currentVersion(name, requested?.kubernetesVersion, existing);
  refuseUnchangeable(existing, requested, call.apiVersion);
  const dnsPrefix = requested?.dnsPrefix ?? (existing?.properties['dnsPrefix'] as string | undefined);
  if (dnsPrefix === undefined) {
    throw badRequest(
      "Either 'properties.dnsPrefix' or 'properties.fqdnSubdomain' is needed; the local cloud has the first.",
    );
  }
  const issuer = checkProfiles(requested, existing);
  const identity = clusterIdentity(context, call, body.identity, id, name, existing);
  if (identity === undefined && requested?.servicePrincipalProfile === undefined) {
    throw badRequest("A cluster needs an 'identity' (SystemAssigned or UserAssigned).", 'identity');
  }
  const version =
    requested?.kubernetesVersion ??
    (existing?.properties['kubernetesVersion'] as string | undefined) ??
    KUBERNETES_MINOR;
  const hash = createHash('sha256').update(id.toLowerCase()).digest('hex').slice(0, 8);
  const fqdn = `${dnsPrefix}-${hash}.hcp.${base.location}.azmk8s.io`;
  const cluster: ResourceDocument = {
    ...base,
    extra: {
      kind: body.kind ?? 'Base',
      sku: { name: 'Base', tier: 'Free', ...body.sku },
      ...(identity === undefined ? {} : { identity }),
    },
    internal: existing?.internal ?? { guid: randomUUID() },
    properties: {
      enableRBAC: true,
      supportPlan: 'KubernetesOfficial',
      maxAgentPools: 100,
      nodeResourceGroup: `MC_${group.name}_${name}_${base.location}`.slice(0, 80),
      ...existing?.properties,
      ...changes,
      dnsPrefix,
      fqdn,
      azurePortalFQDN: fqdn.replace('.hcp.', '.portal.hcp.'),
      kubernetesVersion: version,
      currentKubernetesVersion: current,
      agentPoolProfiles: agentPools(call.apiVersion, requested?.agentPoolProfiles, existing, version),
      powerState: { code: 'Running' },
      provisioningState: existing === undefined ? 'Creating' : 'Updating',
    },
  };
  const oidcIssuerProfile = issuer ? { enabled: true, issuerURL: issuerOf(cluster) } : { enabled: false };
  return { ...cluster, properties: { ...cluster.properties, oidcIssuerProfile } };
}
