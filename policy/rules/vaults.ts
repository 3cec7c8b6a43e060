import { fieldsOf } from '../../stacks/offline';
import { textOf, textsOf, type Rule } from './rule';

/** Azure's longest retention, in days, and its default. */
const longestRetention = 90;

const vault = 'azure-native:keyvault:Vault';

/** Vaults and their access policies. */
export const vaultRules: readonly Rule[] = [
  {
    name: 'access-mode',
    description:
      'A vault says how it decides on access: otherwise the version of the API does, and under a newer one its access policies are void.',
    types: [vault],
    check: ({ properties }) =>
      typeof fieldsOf(properties.properties).enableRbacAuthorization === 'boolean'
        ? []
        : ['enableRbacAuthorization is not set. Set it to true, or to false for access policies.'],
  },
  {
    name: 'least-permissions',
    description:
      'An access policy gives what is needed to read a secret: list shows the names of all secrets, and all is everything.',
    types: ['azure-native:keyvault:AccessPolicy'],
    check({ properties }) {
      const { permissions } = fieldsOf(properties.policy);
      return Object.entries(fieldsOf(permissions)).flatMap(([area, given]) =>
        textsOf(given)
          .filter((one) => ['all', 'list'].includes(one.toLowerCase()))
          .map((one) => `${area} has "${one}". Name what is needed, such as get.`),
      );
    },
  },
  {
    name: 'no-inline-policies',
    description:
      'Access policies are resources of their own: those in the vault itself remove all others at each update.',
    types: [vault],
    check({ properties }) {
      const { accessPolicies } = fieldsOf(properties.properties);
      const count = Array.isArray(accessPolicies) ? accessPolicies.length : 0;
      return count === 0 ? [] : [`accessPolicies has ${count}. Make an AccessPolicy of each.`];
    },
  },
  {
    name: 'kept-in-production',
    description: `Nobody can purge a production vault, and what is deleted in it can be recovered for ${longestRetention} days.`,
    types: [vault],
    check({ properties }, { production }) {
      const { enablePurgeProtection, softDeleteRetentionInDays = longestRetention } = fieldsOf(
        properties.properties,
      );
      if (!production) return [];
      const days = Number(softDeleteRetentionInDays);
      return [
        ...(enablePurgeProtection === true
          ? []
          : ['enablePurgeProtection is not true. Set `purgeProtection: true`.']),
        ...(days >= longestRetention
          ? []
          : [`softDeleteRetentionInDays is ${days}. Set it to ${longestRetention}.`]),
      ];
    },
  },
  {
    name: 'no-public-vault',
    description:
      'A production vault is not open to every network: a token that got lost is of no use elsewhere.',
    level: 'advisory',
    types: [vault],
    check({ properties }, { production }) {
      const { publicNetworkAccess = 'Enabled', networkAcls } = fieldsOf(properties.properties);
      const isClosed =
        textOf(publicNetworkAccess).toLowerCase() === 'disabled' ||
        textOf(fieldsOf(networkAcls).defaultAction).toLowerCase() === 'deny';
      return !production || isClosed
        ? []
        : [
            'Every network reaches it. Set `publicAccess: false` with `privateEndpoints`, or name its networks in `network`.',
          ];
    },
  },
];
