import { inAzure, operatorTypes } from './operator';
import { furtherAudiences, pipelineIdentity } from './componentRoles';
import { defaultAudience } from '../../components/identity/subjects';
import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import { type Rule, type StackRule } from './rule';

/** Types of federated credentials. */
export const credentials = [
  'azure-native:managedidentity:FederatedIdentityCredential',
  'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential',
  'azuread:index/applicationFlexibleFederatedIdentityCredential:ApplicationFlexibleFederatedIdentityCredential',
  operatorTypes.credential,
];

/** The audience of each cloud (entra-docs docs/workload-id/workload-identity-federation-create-trust.md). */
const audiences = [defaultAudience, `${defaultAudience}USGov`, `${defaultAudience}China`];

const application = 'azuread:index/application:Application';

/** Rules on federated credentials and on stored passwords. */
export const credentialRules: readonly Rule[] = [
  {
    name: 'issuer-form',
    description:
      'The issuer of a federated credential is an https URL without query or fragment: Entra fetches its keys from there.',
    types: credentials,
    check(resource) {
      const issuer = textOf(inAzure(resource).properties.issuer);
      return /^https:\/\/[^\s?#@*]+$/.test(issuer)
        ? []
        : [`The issuer is "${issuer}". Use the https URL in the tokens' \`iss\` claim.`];
    },
  },
  {
    name: 'trusted-audience',
    description:
      'A federated credential has the audience of token exchange: a token for any other audience must not sign in.',
    types: credentials,
    check(declared, environment) {
      const resource = inAzure(declared);
      const { properties } = resource;
      const unusual = [...textsOf(properties.audiences), ...textsOf([properties.audience])].filter(
        (audience) => !audiences.includes(audience),
      );
      if (unusual.length === 0) return [];
      const allowed = [...audiences, ...furtherAudiences(resource, environment)];
      return unusual
        .filter((audience) => !allowed.includes(audience))
        .map((audience) => `The audience is "${audience}". Allowed: ${allowed.join(', ')}.`);
    },
  },
  {
    name: 'exact-claims',
    description:
      'A flexible federated credential names each trusted caller exactly: a wildcard also trusts anyone who can register a matching name.',
    types: credentials,
    check({ properties: { claimsMatchingExpression } }) {
      const expression = textOf(claimsMatchingExpression) || textOf(fieldsOf(claimsMatchingExpression).value);
      return /[*?]/.test(expression)
        ? [
            `The expression is "${expression}", with a wildcard. Use a federated credential with the exact subject of each trusted caller.`,
          ]
        : [];
    },
  },
  {
    name: 'no-password',
    description:
      'No application in Entra signs in with a password without consent: anyone who reads it can sign in from anywhere.',
    types: [
      application,
      'azuread:index/applicationPassword:ApplicationPassword',
      'azuread:index/servicePrincipalPassword:ServicePrincipalPassword',
    ],
    check: ({ type, name, properties }, { acceptedPasswords }) =>
      type === application
        ? properties.password === undefined
          ? []
          : ['It has a `password`. Remove it, and let the application sign in with federation.']
        : acceptedPasswords.some((key) => name.startsWith(`${key}/`))
          ? []
          : [
              'It is a password. Let the application sign in with federation or a certificate. If a password is intended, set `storedPassword: accepted` in the stack file.',
            ],
  },
];

const cluster = 'aks-workload-identity:cluster:WorkloadIdentityCluster';

/** Each issuer belongs to one of the stack's clusters. */
export const trustedIssuer: StackRule = {
  name: 'trusted-issuer',
  description:
    'A federated credential trusts a cluster of the stack: anyone who holds the keys of another issuer can sign in as the identity.',
  checkAll(resources, { issuers }) {
    const own = new Set<unknown>([
      ...issuers,
      ...resources.filter(({ type }) => type === cluster).map(({ properties: { issuerUrl } }) => issuerUrl),
    ]);
    return (
      resources
        // The rule pipeline-trust checks those of pipelines.
        .filter(({ type, within }) => credentials.includes(type) && !within.includes(pipelineIdentity))
        .map((resource) => ({ resource, issuer: textOf(inAzure(resource).properties.issuer) }))
        .filter(({ issuer }) => issuer !== '' && !own.has(issuer))
        .map(({ resource, issuer }) => ({
          resource,
          problem: `It trusts ${issuer}, which is not the issuer of a cluster of this stack. Remove the credential, or correct its issuer, including the trailing slash.`,
        }))
    );
  },
};
