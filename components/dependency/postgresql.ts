import { addressBounds } from '../azure/addressRange';
import type { PostgresqlService } from './service';
import type {
  CustomResourceBody,
  DependencyContext,
  DependingIdentity,
  ServiceDescription,
} from './specification';
import { exportTo } from './specification';

const apiVersion = 'dbforpostgresql.azure.com/v20250801';

/** Returns the tier of a virtual machine size: B is burstable, E is memory-optimized (azure-docs concepts-compute). */
function tierOf(sku: string): string {
  if (sku.startsWith('Standard_B')) return 'Burstable';
  return sku.startsWith('Standard_E') ? 'MemoryOptimized' : 'GeneralPurpose';
}

/**
 * Describes a server without password sign-in, with the application's identity as its Entra administrator: only an
 * administrator can create a lesser role, in SQL (`pgaadauth_create_principal`). The database and the administrator export
 * to ConfigMaps of their own, because two custom resources cannot write the same one. Therefore, the pods wait for both.
 */
export function postgresql(
  { version, sku, storageGb, database, allowedIpRanges }: PostgresqlService,
  context: DependencyContext,
): ServiceDescription {
  const { identity, identitiesBeside = [], objectName } = context;
  return {
    apiVersion,
    kind: 'FlexibleServer',
    spec: {
      version,
      sku: { name: sku, tier: tierOf(sku) },
      storage: { storageSizeGB: storageGb },
      authConfig: {
        activeDirectoryAuth: 'Enabled',
        passwordAuth: 'Disabled',
        tenantId: identity.tenantId,
      },
      operatorSpec: { configMaps: { fullyQualifiedDomainName: exportTo(objectName, 'host') } },
    },
    within: [
      {
        suffix: 'database',
        apiVersion,
        kind: 'FlexibleServersDatabase',
        spec: {
          azureName: database,
          operatorSpec: {
            configMapExpressions: [
              { ...exportTo(`${objectName}-database`, 'database'), value: 'self.spec.azureName' },
            ],
          },
        },
      },
      ...[identity, ...identitiesBeside].map((assignee) => administrator(context, assignee)),
      ...allowedIpRanges.map(firewallRule),
    ],
  };
}

function administrator(
  { identity: inUse, objectName }: DependencyContext,
  identity: DependingIdentity,
): CustomResourceBody {
  const suffix = `administrator${identity.suffix ?? ''}`;
  return {
    suffix,
    access: true,
    apiVersion,
    kind: 'FlexibleServersAdministrator',
    spec: {
      azureName: identity.principalId,
      principalName: identity.identityName,
      principalType: 'ServicePrincipal',
      tenantId: identity.tenantId,
      // Pods sign in as the identity in use.
      ...(identity === inUse && {
        operatorSpec: {
          configMapExpressions: [
            { ...exportTo(`${objectName}-${suffix}`, 'user'), value: 'self.spec.principalName' },
          ],
        },
      }),
    },
  };
}

function firewallRule(range: string): CustomResourceBody {
  const { first, last } = addressBounds(range);
  const name = `allowed-${range.replace(/[./]/g, '-')}`;
  return {
    suffix: name,
    apiVersion,
    kind: 'FlexibleServersFirewallRule',
    spec: { azureName: name, startIpAddress: first, endIpAddress: last },
  };
}
