import type { VaultService } from './service';
import type { DependencyContext, ServiceDescription } from './specification';
import { exportTo } from './specification';

/** A vault that the application keeps secrets of its own in: it reads and writes them. */
export function vault(
  { name }: VaultService,
  { identity, objectName }: DependencyContext,
): ServiceDescription {
  return {
    apiVersion: 'keyvault.azure.com/v1api20230701',
    kind: 'Vault',
    spec: {
      properties: {
        tenantId: identity.tenantId,
        sku: { family: 'A', name: 'standard' },
        // Given, since API versions have different defaults (Azure/azure-cli #34020).
        enableRbacAuthorization: true,
        enableSoftDelete: true,
      },
      operatorSpec: {
        configMapExpressions: [{ ...exportTo(objectName, 'uri'), value: 'self.status.properties.vaultUri' }],
      },
    },
    dataRoles: ['keyVaultSecretsOfficer'],
    configMapData: { name },
  };
}
