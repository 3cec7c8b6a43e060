import type { RedisService } from './service';
import type {
  CustomResourceBody,
  DependencyContext,
  DependingIdentity,
  ServiceDescription,
} from './specification';
import { exportTo } from './specification';

const apiVersion = 'cache.azure.com/v1api20241101';

/**
 * Describes a cache. If keys are disabled, the application signs in as its identity, with the identity's object id as user
 * name.
 */
export function redis({ sku, capacity }: RedisService, context: DependencyContext): ServiceDescription {
  const { connection, key = 'primary', objectName, identity, identitiesBeside = [] } = context;
  const isByKey = connection !== 'identity';
  return {
    apiVersion,
    kind: 'Redis',
    // Azure takes up to an hour for a cache (radius-project/radius #5207).
    deletionTakes: '60m',
    spec: {
      sku: { name: sku, family: sku === 'Premium' ? 'P' : 'C', capacity },
      enableNonSslPort: false,
      minimumTlsVersion: '1.2',
      redisConfiguration: { 'aad-enabled': isByKey ? 'false' : 'true' },
      disableAccessKeyAuthentication: !isByKey,
      operatorSpec: {
        configMapExpressions: [
          { ...exportTo(objectName, 'host'), value: 'self.status.hostName' },
          { ...exportTo(objectName, 'port'), value: 'string(self.status.sslPort)' },
        ],
      },
    },
    within: isByKey
      ? []
      : [identity, ...identitiesBeside].map((assignee) => accessPolicyAssignment(context, assignee)),
    keys:
      connection === 'secret'
        ? (secretName) => ({ secrets: { [`${key}Key`]: exportTo(secretName, 'key') } })
        : undefined,
  };
}

function accessPolicyAssignment(
  { identity: inUse, objectName }: DependencyContext,
  identity: DependingIdentity,
): CustomResourceBody {
  const suffix = `access${identity.suffix ?? ''}`;
  return {
    suffix,
    access: true,
    apiVersion,
    kind: 'RedisAccessPolicyAssignment',
    spec: {
      azureName: identity.principalId,
      accessPolicyName: 'Data Contributor',
      objectId: identity.principalId,
      objectIdAlias: identity.identityName,
      // Pods sign in as the identity in use.
      ...(identity === inUse && {
        operatorSpec: {
          configMapExpressions: [
            { ...exportTo(`${objectName}-${suffix}`, 'user'), value: 'self.spec.objectId' },
          ],
        },
      }),
    },
  };
}
