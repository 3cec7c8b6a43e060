import { getManagedClusterOutput } from '@pulumi/azure-native/containerservice';
import * as pulumi from '@pulumi/pulumi';
import { parseResourceId } from '../azure/resourceId';
import { UserError } from '../resource/errors';
import { secretsStoreCommand } from './existingCluster';

/** The identity that AKS creates for the add-on azure-keyvault-secrets-provider and assigns to all nodes. */
export interface SecretsStoreIdentity {
  readonly clientId: pulumi.Output<string>;
  readonly principalId: pulumi.Output<string>;
}

/**
 * Returns the identity of a cluster's Secrets Store add-on. It is unknown in the preview of the update that enables the
 * add-on.
 * @throws UserError if the cluster has no such add-on
 */
export function secretsStoreIdentity(
  clusterId: pulumi.Output<string>,
  opts: pulumi.InvokeOutputOptions,
): SecretsStoreIdentity {
  const place = clusterId.apply(parseResourceId);
  const { addonProfiles } = getManagedClusterOutput(
    { resourceGroupName: place.resourceGroupName, resourceName: place.name },
    opts,
  );
  const identity = pulumi.all([place, addonProfiles]).apply(([cluster, addons]) => {
    const found = addons?.azureKeyvaultSecretsProvider?.identity;
    if (found?.clientId !== undefined && found.objectId !== undefined)
      return { clientId: found.clientId, principalId: found.objectId };
    if (pulumi.runtime.isDryRun()) return undefined;
    throw new UserError(
      `The cluster ${cluster.name} does not have the Secrets Store CSI driver add-on with its identity. Run \`${secretsStoreCommand(cluster)}\`.`,
    );
  });
  const known = (name: 'clientId' | 'principalId') =>
    identity.apply((ids) =>
      ids === undefined ? pulumi.output(pulumi.unknown).apply(String) : pulumi.output(ids[name]),
    );
  return { clientId: known('clientId'), principalId: known('principalId') };
}
