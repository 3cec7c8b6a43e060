import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { secretProviderClassKind } from '../cluster/existingCluster';
import { retention } from '../resource/newResource';
import { forceConflicts } from '../resource/forceConflicts';
import type { HostedClusterVault, ObjectEncoding } from './arguments';
import type { HostedClusterComponent } from './components';
import { hostedClusterComponents, hostedClusterKind } from './components';

/** The credentials of a component in the vault. */
export interface MountedCredentials {
  /** The component. */
  readonly component: HostedClusterComponent;
  /** Name of the vault secret with its credentials. */
  readonly secretName: string;
}

/** The SecretProviderClasses for the credentials of the pods of a hosted control plane. */
export interface HostedClusterMounts {
  /** Namespace of the hosted control plane: `<namespace of the HostedCluster>-<its name>`. */
  readonly namespace: pulumi.Input<string>;
  /** The vault. */
  readonly vault: HostedClusterVault;
  /** Client id of the identity on the nodes that reads the vault (`ARO_HCP_KEY_VAULT_USER_CLIENT_ID` of HyperShift). */
  readonly readerClientId: pulumi.Input<string>;
  /** The components, each only once. */
  readonly components: MountedCredentials[];
  /** Encoding of the credentials in the vault. Default: `utf-8`. */
  readonly encoding?: ObjectEncoding;
}

/** Arguments of HostedCluster. */
export interface HostedClusterArgs {
  /** Name of the hosted cluster. */
  readonly hostedCluster: string;
  /** Namespace of the HostedCluster on the management cluster. */
  readonly namespace: pulumi.Input<string>;
  /** SecretProviderClasses to create. Default: none; HyperShift's operators create their own, or nothing is mounted. */
  readonly mounts?: HostedClusterMounts;
  /** The `spec` of the HostedCluster. Default: none; somebody else owns the HostedCluster, and it is not created. */
  readonly spec?: pulumi.Input<pulumi.Inputs>;
  /**
   * Keep the HostedCluster when it is removed from the program; otherwise, it is deleted with its machines. Default: true.
   */
  readonly retainOnDelete?: boolean;
}

/** A HyperShift hosted cluster on its management cluster. */
export class HostedCluster extends pulumi.ComponentResource {
  constructor(name: string, args: HostedClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:hypershift:HostedCluster', name, {}, opts);
    args = checkedArguments('HostedCluster', name, args);
    const { hostedCluster, namespace, mounts, spec } = args;
    const { deletedWith } = opts ?? {};
    const classes =
      mounts === undefined ? [] : secretProviderClasses(name, mounts, { parent: this, deletedWith });
    if (spec !== undefined) {
      new kubernetes.apiextensions.CustomResource(
        name,
        {
          ...hostedClusterKind,
          metadata: { name: hostedCluster, namespace, annotations: forceConflicts },
          spec,
        },
        // Not `deletedWith` its management cluster: HyperShift must delete its machines first.
        { parent: this, dependsOn: classes, ...retention(args) },
      );
    }
    this.registerOutputs({});
  }
}

/**
 * Deploys the classes as HyperShift's operators would (openshift/hypershift
 * support/secretproviderclass/secretproviderclass.go): the driver reads the vault as an identity of the node.
 */
function secretProviderClasses(
  name: string,
  { namespace, vault, readerClientId, components, encoding = 'utf-8' }: HostedClusterMounts,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  return components.map(
    ({ component, secretName }) =>
      new kubernetes.apiextensions.CustomResource(
        `${name}/${component}`,
        {
          ...secretProviderClassKind,
          metadata: {
            name: hostedClusterComponents[component].secretProviderClass,
            namespace,
            annotations: forceConflicts,
          },
          spec: {
            provider: 'azure',
            parameters: {
              usePodIdentity: 'false',
              useVMManagedIdentity: 'true',
              userAssignedIdentityID: readerClientId,
              keyvaultName: vault.name,
              tenantId: vault.tenantId,
              objects: objectsParameter(secretName, encoding),
            },
          },
        },
        opts,
      ),
  );
}

function objectsParameter(secretName: string, encoding: ObjectEncoding): string {
  return `\narray:\n  - |\n    objectName: ${secretName}\n    objectEncoding: ${encoding}\n    objectType: secret\n`;
}
