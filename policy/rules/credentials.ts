import { defaultAudience, hostedClusterAudience } from '../../stacks/offline';
import { textOf, textsOf, type Rule, type StackRule } from './rule';

const credentials = [
  'azure-native:managedidentity:FederatedIdentityCredential',
  'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential',
  'azuread:index/applicationFlexibleFederatedIdentityCredential:ApplicationFlexibleFederatedIdentityCredential',
];

/** By cloud (entra-docs docs/workload-id/workload-identity-federation-create-trust.md), and HyperShift's. */
const audiences = [
  defaultAudience,
  `${defaultAudience}USGov`,
  `${defaultAudience}China`,
  hostedClusterAudience,
];

/** What is trusted, and what is stored. */
export const credentialRules: readonly Rule[] = [
  {
    name: 'issuer-form',
    description:
      'The issuer of a federated credential is an https address without query and fragment: Entra fetches its keys from there.',
    types: credentials,
    check({ properties }) {
      const issuer = textOf(properties.issuer);
      return /^https:\/\/[^\s?#@*]+$/.test(issuer)
        ? []
        : [`The issuer is "${issuer}". Write the https address that the tokens have as their issuer.`];
    },
  },
  {
    name: 'trusted-audience',
    description:
      'A federated credential has an audience that is meant for it alone: a token for anything else must not sign in.',
    types: credentials,
    check: ({ properties: { audiences: several, audience: one } }) =>
      [...textsOf(several), ...textsOf([one])]
        .filter((one) => !audiences.includes(one))
        .map((one) => `The audience is "${one}". Allowed: ${audiences.join(', ')}.`),
  },
  {
    name: 'no-password',
    description:
      'No application in Entra signs in by a password without consent: whoever reads it can sign in from anywhere.',
    types: [
      'azuread:index/applicationPassword:ApplicationPassword',
      'azuread:index/servicePrincipalPassword:ServicePrincipalPassword',
    ],
    check: ({ name }, { acceptedPasswords }) =>
      acceptedPasswords.some((key) => name.startsWith(`${key}/`))
        ? []
        : [
            'It is a password. Let the application sign in by federation or by certificate; or, if a password is meant, write `storedPassword: accepted` in the settings.',
          ],
  },
];

const cluster = 'aks-workload-identity:cluster:WorkloadIdentityCluster';

/** Each issuer is one of the stack's clusters. */
export const trustedIssuer: StackRule = {
  name: 'trusted-issuer',
  description:
    'A federated credential trusts a cluster of the stack: whoever holds the keys of another issuer can sign in as the identity.',
  checkAll(resources, { issuers }) {
    const own = new Set<unknown>([
      ...issuers,
      ...resources.filter(({ type }) => type === cluster).map(({ properties: { issuerUrl } }) => issuerUrl),
    ]);
    return resources
      .filter(({ type }) => credentials.includes(type))
      .map((resource) => ({ resource, issuer: textOf(resource.properties.issuer) }))
      .filter(({ issuer }) => issuer !== '' && !own.has(issuer))
      .map(({ resource, issuer }) => ({
        resource,
        what: `It trusts ${issuer}, which is the issuer of no cluster of this stack. Remove the credential, or correct its issuer, to the trailing slash.`,
      }));
  },
};
