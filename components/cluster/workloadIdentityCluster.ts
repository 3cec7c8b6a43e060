import { getClientToken } from '@pulumi/azure-native/authorization';
import {
  getManagedCluster,
  getManagedClusterOutput,
  ManagedCluster,
} from '@pulumi/azure-native/containerservice';
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { ResourceId } from '../azure/resourceId';
import { assertExisting, clusterType, parseGivenId } from '../azure/resourceId';
import { placeOf, stableOutputs } from '../azure/stableOutputs';
import { clusterAuditLogs, sendLogs } from '../logs/diagnosticLogs';
import { VisibleError } from '../resource/errors';
import { assertKnown, oneOf, read } from '../resource/given';
import { Held } from '../resource/held';
import { retention } from '../resource/retention';
import { clusterClient, enableWorkloadIdentity } from './enableWorkloadIdentity';
import { assertEnabled, whatIsOff } from './existingCluster';
import { clusterKubeconfig } from './kubeconfig';
import type { NewCluster } from './managedCluster';
import { managedClusterArgs } from './managedCluster';

/** A managed cluster that exists already; it is never deleted, and changed only by `enable`. */
export interface ExistingClusterArgs {
  /** Its resource id. */
  readonly id: pulumi.Input<string>;
  /**
   * Switch the OIDC issuer and workload identity on if they are off: in an update, and never off again. Default: false: an
   * error that tells how.
   */
  readonly enable?: boolean;
  /**
   * Address of the resource manager that `enable` goes through. Default: that of the public cloud,
   * https://management.azure.com.
   */
  readonly resourceManager?: string;
}

/** Any Kubernetes whose issuer Entra can reach. Nothing of it is looked up in Azure. */
export interface ExternalClusterArgs {
  /** Issuer of its service accounts' tokens, as the tokens have it, to the trailing slash. */
  readonly issuer: pulumi.Input<string>;
  /** kubeconfig of an administrator. */
  readonly kubeconfig: pulumi.Input<string>;
}

/** Arguments of WorkloadIdentityCluster: `create`, `existing` or `external`. */
export interface WorkloadIdentityClusterArgs {
  /** The cluster that is made. */
  readonly create?: NewCluster;
  /** A managed cluster that exists already. */
  readonly existing?: ExistingClusterArgs;
  /** A cluster of somebody else. */
  readonly external?: ExternalClusterArgs;
}

interface Parts {
  readonly managedCluster?: ManagedCluster;
  readonly id?: pulumi.Output<string>;
  readonly issuerUrl: pulumi.Output<string>;
  readonly kubeconfig: pulumi.Output<string>;
}

const held = new Held<{ readonly managedCluster?: ManagedCluster; readonly provider: kubernetes.Provider }>();

/** A cluster whose service accounts can be trusted by Entra; what follows does not ask who made it. */
export class WorkloadIdentityCluster extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:cluster:WorkloadIdentityCluster';
  /** Resource id, if it is a managed cluster. */
  readonly id?: pulumi.Output<string>;
  /** Issuer of the service accounts' tokens, with its trailing slash. */
  readonly issuerUrl: pulumi.Output<string>;
  /** kubeconfig of an administrator, a secret. */
  readonly kubeconfig: pulumi.Output<string>;

  constructor(name: string, args: WorkloadIdentityClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(WorkloadIdentityCluster.token, name, {}, opts);
    const { managedCluster, id, issuerUrl, kubeconfig } = partsOf(name, args, this);
    if (id !== undefined) this.id = id;
    this.issuerUrl = issuerUrl;
    this.kubeconfig = kubeconfig;
    const provider = new kubernetes.Provider(
      `${name}-provider`,
      {
        kubeconfig: this.kubeconfig,
        // What makes it another cluster is another issuer (it has a new id each time that a cluster is made), not
        // a new address or certificate in the kubeconfig: those would replace all that is installed.
        clusterIdentifier: this.issuerUrl,
      },
      { parent: this },
    );
    held.keep(this, { provider, ...(managedCluster !== undefined && { managedCluster }) });
    this.registerOutputs({
      id: this.id,
      issuerUrl: this.issuerUrl,
      kubeconfig: this.kubeconfig,
    });
  }

  /** The cluster, if it is made here. */
  get managedCluster(): ManagedCluster | undefined {
    return held.of(this).managedCluster;
  }

  /** Kubernetes provider for what is installed in the cluster. */
  get provider(): kubernetes.Provider {
    return held.of(this).provider;
  }
}

function partsOf(name: string, args: WorkloadIdentityClusterArgs, parent: pulumi.Resource): Parts {
  const { create, existing, external } = args;
  const given = oneOf(`WorkloadIdentityCluster ${name}`, 'args', { create, existing, external });
  if (given.kind === 'create') return createdCluster(name, given.value, parent);
  if (given.kind === 'existing') return existingCluster(name, given.value, parent);
  const { issuer, kubeconfig } = given.value;
  return { issuerUrl: pulumi.output(issuer), kubeconfig: pulumi.secret(kubeconfig) };
}

function createdCluster(name: string, args: NewCluster, parent: pulumi.Resource): Parts {
  const { kubernetesVersion, authorizedIpRanges, tier } = args;
  assertKnown(`WorkloadIdentityCluster ${name}`, { kubernetesVersion, authorizedIpRanges, tier });
  const cluster = new ManagedCluster(name, managedClusterArgs(name, args), { parent, ...retention(args) });
  if (args.logs !== undefined) {
    sendLogs(`${name}-logs`, cluster.id, clusterAuditLogs, args.logs, { parent });
  }
  const { resourceGroupName, name: resourceName } = placeOf(cluster.id, clusterType);
  const target = { resourceGroupName, resourceName };
  const issuerUrl = stableOutputs({ id: cluster.id, type: clusterType }, cluster.oidcIssuerProfile, () =>
    getManagedClusterOutput(target, { parent }).apply((found) => found.oidcIssuerProfile),
  ).apply((profile) => issuerOf(name, profile?.issuerURL));
  const localAccounts = (args.administratorGroups ?? []).length === 0;
  return {
    managedCluster: cluster,
    id: cluster.id,
    issuerUrl,
    kubeconfig: clusterKubeconfig(target, localAccounts, { parent }),
  };
}

function existingCluster(
  name: string,
  { id: given, enable, resourceManager }: ExistingClusterArgs,
  parent: pulumi.Resource,
): Parts {
  const component = `WorkloadIdentityCluster ${name}`;
  const place = read(given, (id) =>
    parseGivenId({
      component,
      argument: 'existing.id',
      id,
      type: clusterType,
      what: 'a managed cluster',
      command: 'az aks show --query id',
    }),
  );
  const target = { resourceGroupName: place.resourceGroupName, resourceName: place.name };
  const checked = pulumi.all([given, getManagedClusterOutput(target, { parent })]).apply(([id, cluster]) => {
    assertExisting(component, id, cluster.id);
    return cluster;
  });
  const issuerUrl = pulumi
    .all([place, checked])
    .apply(async ([parsed, cluster]) => {
      const off = enable === true ? whatIsOff(cluster) : [];
      if (off.length > 0 && pulumi.runtime.isDryRun()) {
        void pulumi.log.info(`Would switch on ${off.join(' and ')} of ${parsed.name}.`, parent);
        return cluster.oidcIssuerProfile?.issuerURL;
      }
      if (off.length > 0) await switchOn(parsed, parent, resourceManager);
      const { resourceGroupName, name: resourceName } = parsed;
      const ready =
        off.length > 0 ? await getManagedCluster({ resourceGroupName, resourceName }, { parent }) : cluster;
      assertEnabled(component, parsed, ready);
      return issuerOf(name, ready.oidcIssuerProfile?.issuerURL);
    })
    // In a preview, the issuer is known only when it is there. Where only workload identity is off, it is: unknown, it
    // would show all that is installed in the cluster as replaced.
    .apply((issuer) =>
      issuer === undefined ? pulumi.output(pulumi.unknown).apply(String) : pulumi.output(issuer),
    );
  return {
    id: checked.apply((cluster) => cluster.id),
    issuerUrl,
    kubeconfig: checked
      .apply(({ disableLocalAccounts }) => disableLocalAccounts !== true)
      .apply((localAccounts) => clusterKubeconfig(target, localAccounts, { parent })),
  };
}

/** With the rights, and the token, of who deploys. */
async function switchOn(
  { subscriptionId, resourceGroupName, name }: ResourceId,
  parent: pulumi.Resource,
  endpoint = 'https://management.azure.com',
): Promise<void> {
  const { token } = await getClientToken({}, { parent });
  const client = await clusterClient({ subscriptionId, token, endpoint });
  if (await enableWorkloadIdentity(client, { resourceGroupName, resourceName: name })) {
    void pulumi.log.info(`The OIDC issuer and workload identity of ${name} were switched on.`, parent);
  }
}

function issuerOf(name: string, issuer: string | undefined): string {
  if (issuer !== undefined && issuer !== '') return issuer;
  throw new VisibleError(
    `WorkloadIdentityCluster ${name}: the cluster has no issuer URL, so nothing can trust its service accounts. Switch it on: az aks update --enable-oidc-issuer --enable-workload-identity.`,
  );
}
