import { addressBounds } from './addressRange';
import type { PostgresqlService } from './service';
import type { CustomResourceBody, DependencyContext, Specification } from './specification';
import { exportTo, ownedByGroup } from './specification';

const apiVersion = 'dbforpostgresql.azure.com/v20250801';

/** Tier of a size of virtual machine: B is burstable, E has much memory (azure-docs concepts-compute). */
function tierOf(sku: string): string {
  if (/^Standard_B/.test(sku)) return 'Burstable';
  return /^Standard_E/.test(sku) ? 'MemoryOptimized' : 'GeneralPurpose';
}

/**
 * A server that knows no passwords, with the application's identity as its Entra administrator: a lesser role is made in
 * SQL, by an administrator (`pgaadauth_create_principal`). The pods wait for the database and for the administrator as
 * well, since what each tells is in a ConfigMap of its own: two custom resources cannot write one.
 */
export function postgresql(service: PostgresqlService, context: DependencyContext): Specification {
  const { name, version, sku, storageGb, database } = service;
  const { identity, location, tags, objectName } = context;
  const owner = { name: objectName };
  const inDatabase = { objectName: `${objectName}-database` };
  const asAdministrator = { objectName: `${objectName}-administrator` };
  return {
    azureName: name,
    resources: [
      {
        apiVersion,
        kind: 'FlexibleServer',
        spec: {
          azureName: name,
          owner: ownedByGroup(context),
          location,
          version,
          sku: { name: sku, tier: tierOf(sku) },
          storage: { storageSizeGB: storageGb },
          tags,
          authConfig: {
            activeDirectoryAuth: 'Enabled',
            passwordAuth: 'Disabled',
            tenantId: identity.tenantId,
          },
          operatorSpec: { configMaps: { fullyQualifiedDomainName: exportTo(context, 'host') } },
        },
      },
      {
        suffix: 'database',
        apiVersion,
        kind: 'FlexibleServersDatabase',
        spec: {
          azureName: database,
          owner,
          operatorSpec: {
            configMapExpressions: [{ ...exportTo(inDatabase, 'database'), value: 'self.spec.azureName' }],
          },
        },
      },
      {
        suffix: 'administrator',
        access: true,
        apiVersion,
        kind: 'FlexibleServersAdministrator',
        spec: {
          azureName: identity.principalId,
          owner,
          principalName: identity.identityName,
          principalType: 'ServicePrincipal',
          tenantId: identity.tenantId,
          operatorSpec: {
            configMapExpressions: [
              { ...exportTo(asAdministrator, 'user'), value: 'self.spec.principalName' },
            ],
          },
        },
      },
      ...service.allowedIpRanges.map((range) => firewallRule(range, owner)),
    ],
    dataRoles: [],
    configMapData: {},
  };
}

function firewallRule(range: string, owner: { name: string }): CustomResourceBody {
  const { first, last } = addressBounds(range);
  const name = `allowed-${range.replace(/[./]/g, '-')}`;
  return {
    suffix: name,
    apiVersion,
    kind: 'FlexibleServersFirewallRule',
    spec: { azureName: name, owner, startIpAddress: first, endIpAddress: last },
  };
}
