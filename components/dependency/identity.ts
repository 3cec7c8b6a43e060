import { fitName } from '../azure/naming';
import { credentialName, defaultAudience, subjectOf } from '../identity/subjects';
import type { IdentityService } from './service';
import type { DependencyContext, Specification } from './specification';
import { exportTo, ownedByGroup } from './specification';

const apiVersion = 'managedidentity.azure.com/v1api20230131';

/** An identity beside the application's own, which the application's service accounts can act as. */
export function identity({ name }: IdentityService, context: DependencyContext): Specification {
  const { location, tags, objectName, cluster, issuer, accounts } = context;
  return {
    azureName: name,
    resources: [
      {
        apiVersion,
        kind: 'UserAssignedIdentity',
        spec: {
          azureName: name,
          owner: ownedByGroup(context),
          location,
          tags,
          operatorSpec: {
            configMaps: {
              clientId: exportTo(context, 'clientId'),
              principalId: exportTo(context, 'principalId'),
              tenantId: exportTo(context, 'tenantId'),
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
    configMapData: {},
  };
}
