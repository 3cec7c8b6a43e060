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
import { retention } from '../resource/retention';
import { clusterClient, enableWorkloadIdentity } from './enableWorkloadIdentity';
import { assertEnabled, whatIsOff } from './existingCluster';
import { clusterKubeconfig } from './kubeconfig';
import type { CreatedClusterArgs } from './managedCluster';
import { managedClusterArgs } from './managedCluster';

/** A managed cluster that exists already; it is never deleted, and changed only by `enable`. */
export interface ExistingClusterArgs {
  /** Its resource id. */
  readonly existing: string;
  /**
   * Switch the OIDC issuer and workload identity on if they are off: in an update, and never off again. Default: false:
   * an error that tells how.
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
  readonly issuer: string;
  /** kubeconfig of an administrator. */
  readonly kubeconfig: pulumi.Input<string>;
}

/** Arguments of WorkloadIdentityCluster: made here, existing, or of somebody else. */
export type WorkloadIdentityClusterArgs = CreatedClusterArgs | ExistingClusterArgs | ExternalClusterArgs;

interface Parts {
  readonly managedCluster?: ManagedCluster;
  readonly id?: pulumi.Output<string>;
  readonly issuerUrl: pulumi.Output<string>;
  readonly kubeconfig: pulumi.Output<string>;
}

/** A cluster whose service accounts can be trusted by Entra; what follows does not ask who made it. */
export class WorkloadIdentityCluster extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:cluster:WorkloadIdentityCluster';
  /** The cluster, if it is made here. */
  readonly managedCluster?: ManagedCluster;
  /** Resource id, if it is a managed cluster. */
  readonly id?: pulumi.Output<string>;
  /** Issuer of the service accounts' tokens, with its trailing slash. */
  readonly issuerUrl: pulumi.Output<string>;
  /** kubeconfig of an administrator, a secret. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Kubernetes provider for what is installed in the cluster. */
  readonly provider: kubernetes.Provider;

  constructor(
    private readonly componentName: string,
    args: WorkloadIdentityClusterArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super(WorkloadIdentityCluster.token, componentName, {}, opts);
    const { managedCluster, id, issuerUrl, kubeconfig } = this.parts(args);
    if (managedCluster !== undefined) this.managedCluster = managedCluster;
    if (id !== undefined) this.id = id;
    this.issuerUrl = issuerUrl;
    this.kubeconfig = kubeconfig;
    this.provider = new kubernetes.Provider(
      `${componentName}-provider`,
      {
        kubeconfig: this.kubeconfig,
        // What makes it another cluster is another issuer (it has a new id each time that a cluster is made), not
        // a new address or certificate in the kubeconfig: those would replace all that is installed.
        clusterIdentifier: this.issuerUrl,
      },
      { parent: this },
    );
    this.registerOutputs({
      id: this.id,
      issuerUrl: this.issuerUrl,
      kubeconfig: this.kubeconfig,
    });
  }

  private parts(args: WorkloadIdentityClusterArgs): Parts {
    if ('existing' in args) return this.existing(args);
    if ('issuer' in args) {
      return { issuerUrl: pulumi.output(args.issuer), kubeconfig: pulumi.secret(args.kubeconfig) };
    }
    return this.created(args);
  }

  private created(args: CreatedClusterArgs): Parts {
    const cluster = new ManagedCluster(this.componentName, managedClusterArgs(this.componentName, args), {
      parent: this,
      ...retention(args),
    });
    if (args.logs !== undefined) {
      sendLogs(`${this.componentName}-logs`, cluster.id, clusterAuditLogs, args.logs, { parent: this });
    }
    const { resourceGroupName, name: resourceName } = placeOf(cluster.id, clusterType);
    const target = { resourceGroupName, resourceName };
    const issuerUrl = stableOutputs({ id: cluster.id, type: clusterType }, cluster.oidcIssuerProfile, () =>
      getManagedClusterOutput(target, { parent: this }).apply((found) => found.oidcIssuerProfile),
    ).apply((profile) => issuerOf(this.componentName, profile?.issuerURL));
    const localAccounts = (args.administratorGroups ?? []).length === 0;
    return {
      managedCluster: cluster,
      id: cluster.id,
      issuerUrl,
      kubeconfig: clusterKubeconfig(target, localAccounts, { parent: this }),
    };
  }

  private existing({ existing, enable, resourceManager }: ExistingClusterArgs): Parts {
    const component = `WorkloadIdentityCluster ${this.componentName}`;
    const parsed = parseGivenId({
      component,
      argument: 'existing',
      id: existing,
      type: clusterType,
      what: 'a managed cluster',
      command: 'az aks show --query id',
    });
    const target = { resourceGroupName: parsed.resourceGroupName, resourceName: parsed.name };
    const read = () => getManagedCluster(target, { parent: this });
    const found = getManagedClusterOutput(target, { parent: this });
    const checked = found.apply((cluster) => {
      assertExisting(component, existing, cluster.id);
      return cluster;
    });
    const issuerUrl = checked
      .apply(async (cluster) => {
        const off = enable === true ? whatIsOff(cluster) : [];
        if (off.length > 0 && pulumi.runtime.isDryRun()) {
          void pulumi.log.info(`Would switch on ${off.join(' and ')} of ${parsed.name}.`, this);
          return cluster.oidcIssuerProfile?.issuerURL;
        }
        if (off.length > 0) await this.enable(parsed, resourceManager);
        const ready = off.length > 0 ? await read() : cluster;
        assertEnabled(component, parsed, ready);
        return issuerOf(this.componentName, ready.oidcIssuerProfile?.issuerURL);
      })
      // In a preview, the issuer is known only when it is there. Where only workload identity is off, it is: unknown, it
      // would show all that is installed in the cluster as replaced.
      .apply((issuer) =>
        issuer === undefined ? pulumi.output(pulumi.unknown).apply(String) : pulumi.output(issuer),
      );
    const id = checked.apply((cluster) => cluster.id);
    return {
      id,
      issuerUrl,
      kubeconfig: checked
        .apply(({ disableLocalAccounts }) => disableLocalAccounts !== true)
        .apply((localAccounts) => clusterKubeconfig(target, localAccounts, { parent: this })),
    };
  }

  /** With the rights, and the token, of who deploys. */
  private async enable(
    { subscriptionId, resourceGroupName, name }: ResourceId,
    endpoint = 'https://management.azure.com',
  ): Promise<void> {
    const { token } = await getClientToken({}, { parent: this });
    const client = await clusterClient({ subscriptionId, token, endpoint });
    const target = { resourceGroupName, resourceName: name };
    if (await enableWorkloadIdentity(client, target)) {
      void pulumi.log.info(`The OIDC issuer and workload identity of ${name} were switched on.`, this);
    }
  }
}

function issuerOf(name: string, issuer: string | undefined): string {
  if (issuer !== undefined && issuer !== '') return issuer;
  throw new VisibleError(
    `WorkloadIdentityCluster ${name}: the cluster has no issuer URL, so nothing can trust its service accounts. Switch it on: az aks update --enable-oidc-issuer --enable-workload-identity.`,
  );
}
