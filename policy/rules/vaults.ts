import { fieldsOf, textOf, textsOf } from '../../stacks/offline';
import { inAzure, operatorTypes } from './operator';
import type { Declared, Rule } from './rule';

/** Azure's longest retention, in days, and its default. */
const longestRetention = 90;

/** Permissions of access policies that reading a secret does not need. */
const tooMuch = ['all', 'list', 'backup', 'restore', 'purge'];

/** The most addresses that a firewall may let through, as many as a range /8 has: more is the internet. */
const mostAddresses = 2 ** 24;

/** How many addresses the firewall of a vault lets through; those of ranges that overlap twice. */
function addressesIn(networkAcls: unknown): number {
  const { ipRules } = fieldsOf(networkAcls);
  return (Array.isArray(ipRules) ? ipRules : [])
    .map((rule) => Number(textOf(fieldsOf(rule).value).split('/')[1] ?? 32))
    .reduce((sum, bits) => sum + 2 ** (32 - bits), 0);
}

const vault = 'azure-native:keyvault:Vault';

/** A vault's settings, also where Azure Service Operator makes it. */
const settingsOf = (resource: Declared) => fieldsOf(inAzure(resource).properties.properties);
const vaults = [vault, operatorTypes.vault];

/** Vaults and their access policies. */
export const vaultRules: readonly Rule[] = [
  {
    name: 'access-mode',
    description:
      'A vault says how it decides on access: otherwise the version of the API does, and under a newer one its access policies are void.',
    types: vaults,
    check: (resource) =>
      typeof settingsOf(resource).enableRbacAuthorization === 'boolean'
        ? []
        : ['enableRbacAuthorization is not set. Set it to true, or to false for access policies.'],
  },
  {
    name: 'least-permissions',
    description:
      'An access policy gives what is needed to read a secret: list shows the names of all, backup takes them away, restore and purge lose them, and all is everything.',
    types: ['azure-native:keyvault:AccessPolicy'],
    check({ properties }) {
      const { permissions } = fieldsOf(properties.policy);
      return Object.entries(fieldsOf(permissions)).flatMap(([area, given]) =>
        textsOf(given)
          .filter((one) => tooMuch.includes(one.toLowerCase()))
          .map((one) => `${area} has "${one}". Name what is needed, such as get.`),
      );
    },
  },
  {
    name: 'no-inline-policies',
    description:
      'Access policies are resources of their own: those in the vault itself remove all others at each update.',
    types: vaults,
    check(resource) {
      const { accessPolicies } = settingsOf(resource);
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
    name: 'vault-firewall',
    description: 'The firewall of a vault names networks, and not in parts the whole internet.',
    types: vaults,
    check(resource) {
      const count = addressesIn(settingsOf(resource).networkAcls);
      return count <= mostAddresses
        ? []
        : [
            `networkAcls lets ${count} addresses through, and a network has at most ${mostAddresses} (/8). Name the networks that need the vault; or, if it is meant to be open, write \`publicAccess: true\`.`,
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
        (textOf(fieldsOf(networkAcls).defaultAction).toLowerCase() === 'deny' &&
          addressesIn(networkAcls) <= mostAddresses);
      return !production || isClosed
        ? []
        : [
            'Every network reaches it. Set `publicAccess: false` with `privateEndpoints`, or name its networks in `network`.',
          ];
    },
  },
];
