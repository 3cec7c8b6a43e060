import type { RedisService } from './service';
import type { CustomResourceBody, DependencyContext, Specification } from './specification';
import { exportTo, keysOf, keysPlace, ownedByGroup } from './specification';

const apiVersion = 'cache.azure.com/v1api20241101';

/** A cache; without keys, the application signs in as its identity, whose object id is its user name. */
export function redis({ name, sku, capacity }: RedisService, context: DependencyContext): Specification {
  const { connection, location, tags } = context;
  const secret = connection === 'secret';
  const cache: CustomResourceBody = {
    apiVersion,
    kind: 'Redis',
    // Azure takes most of an hour for one (radius-project/radius #5207).
    deletionTakes: '60m',
    spec: {
      azureName: name,
      owner: ownedByGroup(context),
      location,
      sku: { name: sku, family: sku === 'Premium' ? 'P' : 'C', capacity },
      tags,
      enableNonSslPort: false,
      minimumTlsVersion: '1.2',
      redisConfiguration: { 'aad-enabled': secret ? 'false' : 'true' },
      disableAccessKeyAuthentication: !secret,
      operatorSpec: {
        configMapExpressions: [
          { ...exportTo(context, 'host'), value: 'self.status.hostName' },
          { ...exportTo(context, 'port'), value: 'string(self.status.sslPort)' },
        ],
      },
    },
  };
  const keys = { secrets: { primaryKey: exportTo(keysPlace(context, name), 'key') } };
  return {
    azureName: name,
    resources: secret ? [cache] : [cache, access(context)],
    ...(secret && { keys: keysOf(cache, name, keys) }),
    dataRoles: [],
    configMapData: {},
  };
}

function access({ identity, objectName }: DependencyContext): CustomResourceBody {
  const asUser = { objectName: `${objectName}-access` };
  return {
    suffix: 'access',
    access: true,
    apiVersion,
    kind: 'RedisAccessPolicyAssignment',
    spec: {
      azureName: identity.principalId,
      owner: { name: objectName },
      accessPolicyName: 'Data Contributor',
      objectId: identity.principalId,
      objectIdAlias: identity.identityName,
      operatorSpec: {
        configMapExpressions: [{ ...exportTo(asUser, 'user'), value: 'self.spec.objectId' }],
      },
    },
  };
}
