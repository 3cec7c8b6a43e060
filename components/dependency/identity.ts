import { fitName } from '../azure/naming';
import { credentialName, defaultAudience, subjectOf } from '../identity/subjects';
import type { IdentityService } from './service';
import type { DependencyPlace, Specification } from './specification';
import { exportTo, ownedByGroup } from './specification';

const apiVersion = 'managedidentity.azure.com/v1api20230131';

/** An identity beside the application's own, which the application's service accounts can act as. */
export function identity({ name }: IdentityService, place: DependencyPlace): Specification {
  const { location, tags, objectName, cluster, issuer, accounts } = place;
  return {
    azureName: name,
    resources: [
      {
        apiVersion,
        kind: 'UserAssignedIdentity',
        spec: {
          azureName: name,
          owner: ownedByGroup(place),
          location,
          tags,
          operatorSpec: {
            configMaps: {
              clientId: exportTo(place, 'clientId'),
              principalId: exportTo(place, 'principalId'),
              tenantId: exportTo(place, 'tenantId'),
            },
          },
        },
      },
      ...accounts.map((account) => ({
        suffix: `trust-${account.serviceAccount}`,
        access: true,
        apiVersion,
        kind: 'FederatedIdentityCredential',
        spec: {
          azureName: fitName('federatedIdentityCredential', `${cluster}_${credentialName(account)}`),
          owner: { name: objectName },
          issuer,
          subject: subjectOf(account),
          audiences: [account.audience ?? defaultAudience],
        },
      })),
    ],
    dataRoles: [],
    told: {},
  };
}
