import { fitName } from '../azure/naming';
import { credentialName, defaultAudience, subjectOf } from '../identity/subjects';
import type { DependencyContext, ServiceDescription } from './specification';
import { exportTo } from './specification';

const apiVersion = 'managedidentity.azure.com/v1api20230131';

/** Describes an identity in addition to the application's own. The application's service accounts can sign in as it. */
export function identity({ objectName, cluster, issuer, accounts }: DependencyContext): ServiceDescription {
  return {
    apiVersion,
    kind: 'UserAssignedIdentity',
    spec: {
      operatorSpec: {
        configMaps: {
          clientId: exportTo(objectName, 'clientId'),
          principalId: exportTo(objectName, 'principalId'),
          tenantId: exportTo(objectName, 'tenantId'),
        },
      },
    },
    within: accounts.map((account) => ({
      suffix: `trust-${account.serviceAccount}`,
      access: true,
      apiVersion,
      kind: 'FederatedIdentityCredential',
      spec: {
        azureName: fitName('federatedIdentityCredential', `${cluster}_${credentialName(account)}`),
        issuer,
        subject: subjectOf(account),
        audiences: [account.audience ?? defaultAudience],
      },
    })),
  };
}
