import { getClientToken } from '@pulumi/azure-native/authorization';
import type { GetManagedClusterResult } from '@pulumi/azure-native/containerservice';
import {
  getManagedCluster,
  getManagedClusterOutput,
  ManagedCluster,
} from '@pulumi/azure-native/containerservice';
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { existingResource } from '../azure/existingResource';
import type { ResourceId } from '../azure/resourceId';
import { parseResourceId } from '../azure/resourceId';
import { stableOutputs } from '../azure/stableOutputs';
import { clusterAuditLogs, sendLogs } from '../logs/diagnosticLogs';
import { UserError } from '../resource/errors';
import { oneOf } from '../resource/argumentValues';
import { PrivateState } from '../resource/privateState';
import { retention } from '../resource/newResource';
import { unattended } from '../waiting/interactiveSignIn';
import { enableWithToken } from './enableWorkloadIdentity';
import { assertEnabled, disabledFeatures } from './existingCluster';
import { clusterKubeconfig } from './kubeconfig';
import type { NewCluster } from './managedCluster';
import { managedClusterArgs, networkAtCreation } from './managedCluster';

/** An existing managed cluster. It is never deleted, and changed only by `enable`. */
export interface ExistingClusterArgs {
  /** Its resource id. */
  readonly id: pulumi.Input<string>;
  /**
   * Enable the OIDC issuer and workload identity if they are disabled. Nothing ever disables them again. Default: false; a
   * cluster with one of them disabled is refused.
   */
  readonly enable?: boolean;
  /**
   * Address of the resource manager for `enable`. Default: the public cloud's, https://management.azure.com.
   */
  readonly resourceManager?: string;
}

/** Any Kubernetes cluster whose issuer Entra can reach. Azure is not queried about it. */
export interface ExternalClusterArgs {
  /** Issuer of its service accounts' tokens, exactly as in the tokens, including the trailing slash. */
  readonly issuer: pulumi.Input<string>;
  /** kubeconfig of an administrator. */
  readonly kubeconfig: pulumi.Input<string>;
}

/** Arguments of WorkloadIdentityCluster: `create`, `existing` or `external`. */
export interface WorkloadIdentityClusterArgs {
  /** The cluster to create. */
  readonly create?: NewCluster;
  /** An existing managed cluster. */
  readonly existing?: ExistingClusterArgs;
  /** A cluster outside of AKS. */
  readonly external?: ExternalClusterArgs;
}

interface Parts {
  readonly managedCluster?: ManagedCluster;
  readonly id?: pulumi.Output<string>;
  readonly issuerUrl: pulumi.Output<string>;
  readonly kubeconfig: pulumi.Output<string>;
}

const heldParts = new PrivateState<{
  managedCluster: ManagedCluster | undefined;
  provider: kubernetes.Provider;
}>();

/** A cluster whose service accounts Entra can trust: new, existing, or outside of AKS. */
export class WorkloadIdentityCluster extends pulumi.ComponentResource {
  /** Resource id, if it is a managed cluster. */
  readonly id?: pulumi.Output<string>;
  /** Issuer of the service accounts' tokens, including the trailing slash. */
  readonly issuerUrl: pulumi.Output<string>;
  /** kubeconfig of an administrator, a secret. */
  readonly kubeconfig: pulumi.Output<string>;

  constructor(name: string, args: WorkloadIdentityClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:cluster:WorkloadIdentityCluster', name, {}, opts);
    const { managedCluster, ...outputs } = deployedParts(name, args, this);
    const { id, issuerUrl, kubeconfig } = outputs;
    if (id !== undefined) this.id = id;
    this.issuerUrl = issuerUrl;
    this.kubeconfig = kubeconfig;
    const provider = new kubernetes.Provider(
      `${name}-provider`,
      // A cluster is identified by its issuer, which is new for each new cluster. If the kubeconfig identified it, a new
      // address or certificate would replace everything that is installed.
      { kubeconfig, clusterIdentifier: issuerUrl },
      // The issuer of an external cluster is only a setting. Correcting it must replace nothing in the cluster.
      { parent: this, ignoreChanges: args.external === undefined ? [] : ['clusterIdentifier'] },
    );
    heldParts.keep(this, { provider, managedCluster });
    this.registerOutputs(outputs);
  }

  /** The cluster, if the component creates it. */
  get managedCluster(): ManagedCluster | undefined {
    return heldParts.of(this).managedCluster;
  }

  /** Kubernetes provider for objects in the cluster. */
  get provider(): kubernetes.Provider {
    return heldParts.of(this).provider;
  }
}

function deployedParts(name: string, args: WorkloadIdentityClusterArgs, parent: pulumi.Resource): Parts {
  const { create, existing, external } = checkedArguments('WorkloadIdentityCluster', name, args);
  const source = oneOf({ create, existing, external });
  if (source.kind === 'create') return createdCluster(name, source.value, parent);
  if (source.kind === 'existing') return existingCluster(name, source.value, parent);
  const { issuer, kubeconfig } = source.value;
  const checked = (text: string) => unattended(name, text);
  return {
    issuerUrl: pulumi.output(issuer),
    kubeconfig: pulumi.secret(
      typeof kubeconfig === 'string' ? checked(kubeconfig) : pulumi.output(kubeconfig).apply(checked),
    ),
  };
}

function createdCluster(name: string, args: NewCluster, parent: pulumi.Resource): Parts {
  const { logs, administratorGroups = [] } = args;
  const component = `WorkloadIdentityCluster ${name}`;
  const cluster = new ManagedCluster(name, managedClusterArgs(name, args), {
    ...{ parent, ignoreChanges: networkAtCreation },
    ...retention(args),
  });
  if (logs !== undefined) sendLogs(`${name}-logs`, cluster.id, clusterAuditLogs, logs, { parent });
  const { issuer } = stableOutputs(cluster.id, { issuer: cluster.oidcIssuerProfile }, (place) => ({
    issuer: getManagedClusterOutput(targetOf(place), { parent }).apply((found) => found.oidcIssuerProfile),
  }));
  // The target comes from the cluster's id, which is unknown until the cluster exists; its name would be known in every
  // preview.
  const target = targetOf(cluster.id.apply(parseResourceId));
  return {
    managedCluster: cluster,
    id: cluster.id,
    issuerUrl: issuer.apply((profile) => issuerOf(component, profile?.issuerURL)),
    kubeconfig: clusterKubeconfig(target, administratorGroups.length === 0, { parent }),
  };
}

function targetOf(place: pulumi.Output<ResourceId>) {
  return { resourceGroupName: place.resourceGroupName, resourceName: place.name };
}

function existingCluster(name: string, args: ExistingClusterArgs, parent: pulumi.Resource): Parts {
  const { enable = false, resourceManager = 'https://management.azure.com' } = args;
  const component = `WorkloadIdentityCluster ${name}`;
  const { place, found } = existingResource(args.id, component, (address) =>
    getManagedClusterOutput(targetOf(address), { parent }),
  );
  const issuerUrl = pulumi.all([place, found]).apply(async ([address, cluster]) => {
    const off = enable ? disabledFeatures(cluster) : [];
    if (off.length === 0) return enabledIssuer(component, address, cluster);
    if (pulumi.runtime.isDryRun()) {
      void pulumi.log.info(`Would enable ${off.join(' and ')} on ${address.name}.`, parent);
      return cluster.oidcIssuerProfile?.issuerURL;
    }
    await enableOn(address, parent, resourceManager);
    const { resourceGroupName, name: resourceName } = address;
    const enabled = await getManagedCluster({ resourceGroupName, resourceName }, { parent });
    return enabledIssuer(component, address, enabled);
  });
  return {
    id: found.id,
    // In a preview, the issuer is known if the cluster has one, also if only workload identity is off. An unknown issuer would
    // show everything that is installed in the cluster as replaced.
    issuerUrl: issuerUrl.apply((issuer) =>
      issuer === undefined ? pulumi.output(pulumi.unknown).apply(String) : pulumi.output(issuer),
    ),
    kubeconfig: found
      .apply(({ disableLocalAccounts }) => disableLocalAccounts !== true)
      .apply((localAccounts) => clusterKubeconfig(targetOf(place), localAccounts, { parent })),
  };
}

/** Enables the issuer and workload identity with the deploying account's rights and token. */
async function enableOn(address: ResourceId, parent: pulumi.Resource, endpoint: string): Promise<void> {
  const { token } = await getClientToken({}, { parent });
  if (await enableWithToken(address, token, endpoint)) {
    void pulumi.log.info(`The OIDC issuer and workload identity were enabled on ${address.name}.`, parent);
  }
}

function enabledIssuer(component: string, address: ResourceId, cluster: GetManagedClusterResult): string {
  assertEnabled(component, address, cluster);
  return issuerOf(component, cluster.oidcIssuerProfile?.issuerURL);
}

function issuerOf(component: string, issuer: string | undefined): string {
  if (issuer !== undefined && issuer !== '') return issuer;
  throw new UserError(
    `${component}: the cluster has no issuer URL, so no identity can trust its service accounts. Run az aks update --enable-oidc-issuer --enable-workload-identity.`,
  );
}
