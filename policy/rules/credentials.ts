import { inAzure, operatorTypes } from './operator';
import { pipelineIdentity } from './reach';
import { defaultAudience, fieldsOf, hostedClusterAudience, textOf, textsOf } from '../../stacks/offline';
import { type Declared, type Environment, type Rule, type StackRule } from './rule';

/** Types of federated credentials. */
export const credentials = [
  'azure-native:managedidentity:FederatedIdentityCredential',
  'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential',
  'azuread:index/applicationFlexibleFederatedIdentityCredential:ApplicationFlexibleFederatedIdentityCredential',
  operatorTypes.credential,
];

/** By cloud (entra-docs docs/workload-id/workload-identity-federation-create-trust.md). */
const audiences = [defaultAudience, `${defaultAudience}USGov`, `${defaultAudience}China`];

const hostedCluster = 'aks-workload-identity:hypershift:HostedClusterIdentities';

/** The audience of HyperShift's tokens is allowed to what a hosted cluster signs. */
function audiencesOf({ within, properties }: Declared, { issuers }: Environment): readonly string[] {
  const isHosted = within.includes(hostedCluster) || issuers.includes(textOf(properties.issuer));
  return isHosted ? [...audiences, hostedClusterAudience] : audiences;
}

const application = 'azuread:index/application:Application';

/** What is trusted, and what is stored. */
export const credentialRules: readonly Rule[] = [
  {
    name: 'issuer-form',
    description:
      'The issuer of a federated credential is an https address without query and fragment: Entra fetches its keys from there.',
    types: credentials,
    check(resource) {
      const issuer = textOf(inAzure(resource).properties.issuer);
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
    check(declared, environment) {
      const resource = inAzure(declared);
      const { audiences: several, audience: one } = resource.properties;
      const given = [...textsOf(several), ...textsOf([one])].filter((each) => !audiences.includes(each));
      if (given.length === 0) return [];
      const allowed = audiencesOf(resource, environment);
      return given
        .filter((each) => !allowed.includes(each))
        .map((each) => `The audience is "${each}". Allowed: ${allowed.join(', ')}.`);
    },
  },
  {
    name: 'exact-claims',
    description:
      'A flexible federated credential names whom it trusts: a wildcard trusts also whoever can take a name that fits.',
    types: credentials,
    check({ properties: { claimsMatchingExpression: given } }) {
      const expression = textOf(given) || textOf(fieldsOf(given).value);
      return /[*?]/.test(expression)
        ? [
            `The expression is "${expression}", with a wildcard. Write a federated credential with the exact subject for each that is trusted.`,
          ]
        : [];
    },
  },
  {
    name: 'no-password',
    description:
      'No application in Entra signs in by a password without consent: whoever reads it can sign in from anywhere.',
    types: [
      application,
      'azuread:index/applicationPassword:ApplicationPassword',
      'azuread:index/servicePrincipalPassword:ServicePrincipalPassword',
    ],
    check: ({ type, name, properties }, { acceptedPasswords }) =>
      type === application
        ? properties.password === undefined
          ? []
          : ['It has a `password`. Remove it, and let the application sign in by federation.']
        : acceptedPasswords.some((key) => name.startsWith(`${key}/`))
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
    return (
      resources
        // Those of pipelines have a rule of their own: pipeline-trust.
        .filter(({ type, within }) => credentials.includes(type) && !within.includes(pipelineIdentity))
        .map((resource) => ({ resource, issuer: textOf(inAzure(resource).properties.issuer) }))
        .filter(({ issuer }) => issuer !== '' && !own.has(issuer))
        .map(({ resource, issuer }) => ({
          resource,
          what: `It trusts ${issuer}, which is the issuer of no cluster of this stack. Remove the credential, or correct its issuer, to the trailing slash.`,
        }))
    );
  },
};
