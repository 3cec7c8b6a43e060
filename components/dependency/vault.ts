import type { VaultService } from './service';
import type { DependencyContext, ServiceDescription } from './specification';
import { exportTo } from './specification';

/** Describes a vault for the application's own secrets. */
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
        // Set explicitly, because API versions have different defaults (Azure/azure-cli #34020).
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
