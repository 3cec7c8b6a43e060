import * as pulumi from '@pulumi/pulumi';
import { secretsStoreIdentity } from '../../components/cluster/secretsStoreIdentity';
import { networkOf } from '../../components/hypershift/components';
import { HostedCluster } from '../../components/hypershift/hostedCluster';
import { HostedClusterIdentities } from '../../components/hypershift/hostedClusterIdentities';
import { HyperShiftOperator } from '../../components/hypershift/hyperShiftOperator';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import { merged } from '../../components/resource/merged';
import type { KeyVault } from '../../components/vault/keyVault';
import type { HostedCertificatesPlan, HostedClusterPlan } from '../plan';
import { stackTagValue } from '../plan/tags';
import { certificateProvider } from './certificateProvider';
import type { ClusterContext } from './context';
import { providerOf } from './context';
import { known } from './known';
import type { Namespaces } from './namespaces';

/** The identities of a hosted cluster, and what the vault stores for them. */
interface DeployedHostedCluster {
  readonly plan: HostedClusterPlan;
  readonly identities: HostedClusterIdentities;
  /** The identity on the nodes that reads the credentials; undefined if there are none. */
  readonly reader: Reader | undefined;
  /** The other parts of the HostedCluster's `spec` that follow from the settings. */
  readonly place: pulumi.Output<{ readonly issuerURL: string; readonly platform: object }>;
}

interface Reader {
  readonly clientId: pulumi.Output<string>;
  readonly principalId: pulumi.Output<string>;
}

/** The hosted clusters whose control planes run on a cluster. */
export type DeployedHostedClusters = ReturnType<typeof deployHostedClusters>;

/** Deploys the identities of hosted clusters, and HyperShift's operator, if the stack installs it. */
export function deployHostedClusters(context: ClusterContext) {
  const all = context.plan.hostedClusters.map((hosted) => deployIdentities(context, hosted));
  const operator = deployHyperShift(context, all);
  return {
    all,
    /** The contents of the secrets with their credentials, by name of the secret. */
    secrets: all.flatMap(({ identities }) => [...identities.secrets]),
    /** Object ids of the readers of these, by the names of their grants. */
    readers: all.flatMap(({ plan, reader }): [string, pulumi.Output<string>][] =>
      reader === undefined ? [] : [[plan.grantee, reader.principalId]],
    ),
    /** Deploys their objects, once their credentials in the central vault can be read. */
    deployObjects(namespaces: Namespaces, vault: KeyVault | undefined): void {
      for (const hosted of all) deployHostedCluster(context, namespaces, hosted, vault, operator);
    },
  };
}

function deployIdentities(context: ClusterContext, plan: HostedClusterPlan): DeployedHostedCluster {
  const { settings, cloud, tags, group, tenantId, stack, parent } = context;
  const { settings: hosted, identityPrefix, components, certificates, retainOnDelete } = plan;
  const { name, kms } = hosted;
  const identities = new HostedClusterIdentities(
    name,
    {
      hostedCluster: name,
      identityPrefix,
      issuer: hosted.issuer,
      components: components.map(({ component, role, secret }) => ({ component, role, secretName: secret })),
      certificates: certificates && {
        certificates: [...certificates.certificates],
        renewAfter: certificates.renewAfter,
        encoding: certificates.objectEncoding,
        authority: cloud.operator?.authorityHost,
        vault: { name: settings.vault.name, tenantId },
      },
      scopes: {
        resourceGroupId: hosted.resourceGroup.id,
        subnet: hosted.subnet,
        networkSecurityGroupId: hosted.securityGroup.id,
        dnsZoneId: hosted.dnsZone?.id,
      },
      key: kms && { vaultId: kms.vault.id, keyName: kms.key, keyVersion: kms.version },
      importedAssignments: settings.imported?.roleAssignments,
      importedNames: settings.imported?.federatedCredentials,
      resourceGroupName: group.name,
      location: settings.location,
      tags,
      entraTags: [stackTagValue(stack)],
      retainOnDelete,
    },
    {
      parent,
      providers: [
        ...(certificates === undefined ? [] : [certificateProvider(name, parent)]),
        ...(group.opts.provider ? [group.opts.provider] : []),
      ],
    },
  );
  return {
    plan,
    identities,
    reader: certificates && readerOf(context, name, certificates),
    place: placeOf(context, hosted),
  };
}

function placeOf(
  { cloud, tenantId }: ClusterContext,
  { issuer, subnet, securityGroup, resourceGroup }: HostedClusterPlan['settings'],
): DeployedHostedCluster['place'] {
  return pulumi.output({
    issuerURL: issuer,
    platform: {
      azure: {
        ...(cloud.secretsStore !== undefined && { cloud: cloud.secretsStore }),
        subscriptionID: resourceGroup.subscriptionId,
        tenantID: tenantId,
        resourceGroup: resourceGroup.name,
        vnetID: networkOf(subnet),
        subnetID: subnet,
        securityGroupID: securityGroup.id,
      },
    },
  });
}

/** Returns the identity that the stack file names, otherwise that of the cluster's add-on. */
function readerOf(context: ClusterContext, name: string, { reader }: HostedCertificatesPlan): Reader {
  const existing = reader?.existing;
  if (existing !== undefined)
    return new ManagedIdentity(
      `${name}/reader`,
      { existing: existing.id },
      { parent: context.parent, ...providerOf(context, existing) },
    );
  return addonReader(context);
}

function addonReader({ parent, cluster, plan, subscriptions, group }: ClusterContext): Reader {
  if (cluster.id === undefined) throw new Error('The checks refuse an external cluster without a reader.');
  const provider =
    plan.settings.mode === 'existing'
      ? subscriptions.provider(plan.settings.id.subscriptionId)
      : group.opts.provider;
  return secretsStoreIdentity(cluster.id, { parent, provider });
}

/**
 * Deploys HyperShift's operator, if the stack installs it. It reads the vault as the `reader` of the hosted clusters, which is
 * the same for all of them.
 */
function deployHyperShift(
  context: ClusterContext,
  hosted: readonly DeployedHostedCluster[],
): HyperShiftOperator[] {
  const { plan, inCluster } = context;
  if (plan.hyperShift === undefined) return [];
  const reader = hosted.find(({ reader: named }) => named !== undefined)?.reader ?? addonReader(context);
  return [
    new HyperShiftOperator(
      plan.keys.hyperShift,
      {
        objects: plan.hyperShift.map((object) => JSON.stringify(object)),
        readerClientId: reader.clientId,
      },
      inCluster,
    ),
  ];
}

/** Deploys a hosted cluster's objects on the management cluster, once its credentials can be read. */
function deployHostedCluster(
  { settings, tenantId, inCluster }: ClusterContext,
  namespaces: Namespaces,
  { plan, identities, reader, place }: DeployedHostedCluster,
  vault: KeyVault | undefined,
  operator: readonly pulumi.Resource[],
): void {
  const { settings: hosted, controlPlaneNamespace, createsClasses } = plan;
  const { name, spec } = hosted;
  if (spec === undefined && !createsClasses) return;
  const location = { platform: { azure: { location: settings.location } } };
  const readable = vault === undefined ? [] : vault.readableBy(plan.grantee, [...plan.secrets]);
  new HostedCluster(
    name,
    {
      hostedCluster: name,
      namespace:
        spec === undefined ? hosted.namespace.name : known(namespaces, hosted.namespace.name).metadata.name,
      mounts:
        createsClasses && reader !== undefined
          ? {
              namespace: known(namespaces, controlPlaneNamespace).metadata.name,
              vault: { name: settings.vault.name, tenantId },
              readerClientId: reader.clientId,
              components: plan.components.flatMap(({ component, secret }) =>
                secret === undefined ? [] : [{ component, secretName: secret }],
              ),
              encoding: plan.certificates?.objectEncoding,
            }
          : undefined,
      retainOnDelete: plan.retainOnDelete,
      spec:
        spec &&
        pulumi
          .all([place, identities.spec])
          .apply(([fixed, ours]) => merged(merged(merged(location, spec), { ...fixed }), ours)),
    },
    pulumi.mergeOptions(inCluster, { dependsOn: [identities, ...readable, ...operator] }),
  );
}
