import type { RedisService } from './service';
import type { CustomResourceBody, DependencyPlace, Specification } from './specification';
import { exportTo, keysOf, keysPlace, ownedByGroup } from './specification';

const apiVersion = 'cache.azure.com/v1api20241101';

/** A cache; without keys, the application signs in as its identity, whose object id is its user name. */
export function redis({ name, sku, capacity }: RedisService, place: DependencyPlace): Specification {
  const { connection, location, tags } = place;
  const secret = connection === 'secret';
  const cache: CustomResourceBody = {
    apiVersion,
    kind: 'Redis',
    // Azure takes most of an hour for one (radius-project/radius #5207).
    deletionTakes: '60m',
    spec: {
      azureName: name,
      owner: ownedByGroup(place),
      location,
      sku: { name: sku, family: sku === 'Premium' ? 'P' : 'C', capacity },
      tags,
      enableNonSslPort: false,
      minimumTlsVersion: '1.2',
      redisConfiguration: { 'aad-enabled': secret ? 'false' : 'true' },
      disableAccessKeyAuthentication: !secret,
      operatorSpec: {
        configMapExpressions: [
          { ...exportTo(place, 'host'), value: 'self.status.hostName' },
          { ...exportTo(place, 'port'), value: 'string(self.status.sslPort)' },
        ],
      },
    },
  };
  const keys = { secrets: { primaryKey: exportTo(keysPlace(place, name), 'key') } };
  return {
    azureName: name,
    resources: secret ? [cache] : [cache, access(place)],
    ...(secret && { keys: keysOf(cache, name, keys) }),
    dataRoles: [],
    told: {},
  };
}

function access({ identity, objectName }: DependencyPlace): CustomResourceBody {
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
