import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { parseResourceId } from '../azure/resourceId';
import { serviceOperatorAccount } from '../identity/subjects';
import { forceConflicts } from '../resource/forceConflicts';

/** An identity to read, for example a ManagedIdentity. */
export interface ReadIdentity {
  /** Resource id. */
  readonly id: pulumi.Input<string>;
  /** Application (client) id. */
  readonly clientId: pulumi.Input<string>;
}

/** The operator's own identity, which the operator reads and never writes. */
export interface SelfReadingArgs {
  /** The identity. */
  readonly identity: ReadIdentity;
  /** Its Azure region. */
  readonly location: pulumi.Input<string>;
  /** Resource id of the role assignment that allows the identity to read itself. */
  readonly right: pulumi.Input<string>;
}

/** The custom resource through which the operator reads its own identity. */
export const selfReadingReference = {
  apiVersion: 'managedidentity.azure.com/v1api20230131',
  kind: 'UserAssignedIdentity',
  namespace: serviceOperatorAccount.namespace,
  name: 'aks-workload-identity-operator',
};

/** Deploys that custom resource. It changes nothing in Azure, neither now nor when it is deleted. */
export function selfReading(
  name: string,
  { identity, location, right }: SelfReadingArgs,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apiextensions.CustomResource {
  const { apiVersion, kind, namespace, name: objectName } = selfReadingReference;
  const parsed = pulumi.output(identity.id).apply(parseResourceId);
  return new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion,
      kind,
      metadata: {
        name: objectName,
        namespace,
        annotations: {
          ...forceConflicts,
          'serviceoperator.azure.com/reconcile-policy': 'skip',
          // The program waits for it: a refusal by Azure proves the sign-in as well.
          'pulumi.com/skipAwait': 'true',
        },
      },
      spec: {
        azureName: parsed.name,
        location,
        owner: {
          armId: pulumi.interpolate`/subscriptions/${parsed.subscriptionId}/resourceGroups/${parsed.resourceGroupName}`,
        },
      },
    },
    pulumi.mergeOptions(opts, { dependsOn: pulumi.output(right).apply(() => []) }),
  );
}
