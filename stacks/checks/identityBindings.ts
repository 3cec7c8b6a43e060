import { isValidName, nameRule } from '../../components/azure/naming';
import { defaultAudience } from '../../components/identity/subjects';
import { existingForAll } from '../plan/existingIdentity';
import { isBound, isServicePrincipal, selects } from '../plan';
import { applicationPath } from '../settings/places';
import { formatPath } from '../settings/problem';
import type { Check, CheckInput, PlacedApplication } from './context';

const hint = 'set `trust: federatedCredential`';

/** AKS identity bindings, and the settings that exclude them (azure-aks-docs articles/aks/identity-bindings-concepts.md). */
export const identityBindingChecks: readonly Check[] = [
  function* (input) {
    for (const application of input.applications.filter(isBound)) {
      const path = [...application.path, 'trust'];
      for (const cluster of input.clusters)
        if (cluster.mode === 'external' && selects(application.clusters, cluster))
          yield {
            path,
            what: `is not possible on ${formatPath(cluster.path)}, which is not an AKS cluster`,
            allowed: 'federatedCredential on clusters of mode external',
            hint: `Remove ${cluster.name} from \`clusters\`, or ${hint}.`,
          };
      for (const [isSet, setting, why, other] of excluded(input, application))
        if (isSet)
          yield {
            path,
            what: `is not possible with ${setting}: ${why}`,
            allowed: 'federatedCredential',
            hint: `${other}, or ${hint}.`,
          };
    }
  },

  /** The name of an identity and of its group is more limited in a binding than elsewhere. */
  function* ({ plan, applications, resourceGroup }) {
    for (const { identities } of plan.clusters)
      for (const { binding, existing, azureName, applications: names } of identities) {
        if (binding === undefined) continue;
        const { name, resourceGroupName } = existing ?? {
          name: azureName,
          resourceGroupName: resourceGroup.name,
        };
        const named = [
          { what: 'the identity', name, rule: 'boundIdentity' },
          { what: 'the resource group', name: resourceGroupName, rule: 'groupOfBoundIdentity' },
        ] as const;
        const wrong = named.find((candidate) => !isValidName(candidate.rule, candidate.name));
        const bound = applications.find(
          (application) => isBound(application) && names.includes(application.name),
        );
        if (wrong !== undefined && bound !== undefined)
          yield {
            path: [...applicationPath({ applications }, bound.name), 'trust'],
            what: `is not possible: an identity binding does not accept the name "${wrong.name}" of ${wrong.what}`,
            allowed: nameRule(wrong.rule).allowed,
            hint: `Use ${existing === undefined ? 'another name' : 'another identity'}, or ${hint}.`,
          };
      }
  },
];

/** The settings that exclude identity bindings: whether they are set, their names, the reason, and what to do. */
function excluded(
  input: CheckInput,
  application: PlacedApplication,
): readonly (readonly [boolean, string, string, string])[] {
  const {
    identity,
    signIn,
    delivery,
    dependencies,
    accessWindows,
    groups,
    audience = input.audience,
  } = application;
  const isShared =
    existingForAll(application) !== undefined &&
    input.clusters.filter((cluster) => selects(application.clusters, cluster)).length > 1;
  const oneIdentity = 'the same identity on several clusters';
  const ownIdentities = 'Name an identity for each cluster in `existing`';
  return [
    [
      isServicePrincipal(identity),
      'a service principal',
      'an identity binding has a managed identity',
      'Set another `identity`',
    ],
    [
      signIn !== 'workloadIdentity',
      `\`signIn: ${signIn}\``,
      'aad-pod-identity has bindings of its own',
      'Set `signIn: workloadIdentity`',
    ],
    [
      delivery !== 'application',
      `\`delivery: ${delivery}\``,
      'the Secrets Store driver signs in with a federated credential',
      'Set `delivery: application`',
    ],
    [
      audience !== defaultAudience,
      `the audience ${JSON.stringify(audience)}`,
      'AKS sets the audience of the tokens',
      `Set \`audience: ${defaultAudience}\` on the application`,
    ],
    [
      dependencies.some(({ service }) => service.kind === 'identity'),
      'an identity in `dependencies`',
      'it trusts tokens of another audience than those of the pods',
      'Remove the dependency',
    ],
    [
      isShared && dependencies.length > 0,
      `${oneIdentity} and \`dependencies\``,
      'each cluster would grant access to the service',
      ownIdentities,
    ],
    [
      isShared && accessWindows.length > 0,
      `${oneIdentity} and \`accessWindows\``,
      'each cluster would open and close the same access',
      ownIdentities,
    ],
    [
      isShared && groups.length > 0,
      `${oneIdentity} and \`groups\``,
      'each cluster would add it to the group',
      ownIdentities,
    ],
  ];
}
