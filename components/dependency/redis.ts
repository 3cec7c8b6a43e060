import type { RedisService } from './service';
import type { DependencyPlace, Specification } from './specification';
import { exportTo, ownedByGroup } from './specification';

const apiVersion = 'cache.azure.com/v1api20241101';

/** A cache; without keys, the application signs in as its identity, whose object id is its user name. */
export function redis({ name, sku, capacity }: RedisService, place: DependencyPlace): Specification {
  const { connection, identity, location, tags, objectName } = place;
  const asUser = { objectName: `${objectName}-access` };
  const secret = connection === 'secret';
  return {
    azureName: name,
    resources: [
      {
        apiVersion,
        kind: 'Redis',
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
          operatorSpec: secret
            ? {
                secrets: {
                  hostName: exportTo(place, 'host'),
                  sslPort: exportTo(place, 'port'),
                  primaryKey: exportTo(place, 'key'),
                },
              }
            : {
                configMapExpressions: [
                  { ...exportTo(place, 'host'), value: 'self.status.hostName' },
                  { ...exportTo(place, 'port'), value: 'string(self.status.sslPort)' },
                ],
              },
        },
      },
      ...(secret
        ? []
        : [
            {
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
            },
          ]),
    ],
    dataRoles: [],
    told: {},
  };
}
