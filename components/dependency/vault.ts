import type { VaultService } from './service';
import type { DependencyContext, Specification } from './specification';
import { exportTo, ownedByGroup } from './specification';

/** A vault that the application keeps secrets of its own in: it reads and writes them. */
export function vault({ name }: VaultService, context: DependencyContext): Specification {
  const { identity, location, tags } = context;
  return {
    azureName: name,
    resources: [
      {
        apiVersion: 'keyvault.azure.com/v1api20230701',
        kind: 'Vault',
        spec: {
          azureName: name,
          owner: ownedByGroup(context),
          location,
          tags,
          properties: {
            tenantId: identity.tenantId,
            sku: { family: 'A', name: 'standard' },
            // Said: API versions differ in what a vault is that does not say (Azure/azure-cli #34020).
            enableRbacAuthorization: true,
            enableSoftDelete: true,
          },
          operatorSpec: {
            configMapExpressions: [{ ...exportTo(context, 'uri'), value: 'self.status.properties.vaultUri' }],
          },
        },
      },
    ],
    dataRoles: ['keyVaultSecretsOfficer'],
    configMapData: { name },
  };
}
