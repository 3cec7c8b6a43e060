import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import { inAzure, operatorTypes } from './operator';
import type { Declared, Rule } from './rule';

/** Azure's longest retention, in days, and its default. */
const longestRetention = 90;

/** Permissions of access policies that reading a secret does not need. */
const excessivePermissions = ['all', 'list', 'backup', 'restore', 'purge'];

/** Maximum number of addresses that a firewall may allow: those of a /8 network. */
const maxAddresses = 2 ** 24;

/** Counts the addresses that a vault's firewall allows. Overlaps count twice. */
function addressesIn(networkAcls: unknown): number {
  const { ipRules } = fieldsOf(networkAcls);
  return (Array.isArray(ipRules) ? ipRules : [])
    .map((rule) => Number(textOf(fieldsOf(rule).value).split('/')[1] ?? 32))
    .reduce((sum, bits) => sum + 2 ** (32 - bits), 0);
}

const vault = 'azure-native:keyvault:Vault';

/** Settings of a vault of azure-native or of Azure Service Operator. */
const settingsOf = (resource: Declared) => fieldsOf(inAzure(resource).properties.properties);
const vaults = [vault, operatorTypes.vault];

/** Rules on vaults and their access policies. */
export const vaultRules: readonly Rule[] = [
  {
    name: 'access-mode',
    description:
      'A vault sets its access mode: otherwise the API version decides, and newer ones ignore access policies.',
    types: vaults,
    check: (resource) =>
      typeof settingsOf(resource).enableRbacAuthorization === 'boolean'
        ? []
        : ['enableRbacAuthorization is not set. Set it to true, or to false for access policies.'],
  },
  {
    name: 'least-permissions',
    description:
      'An access policy allows only what is needed to read a secret: `list` shows all names, `backup` copies secrets out, `restore` overwrites and `purge` destroys them, and `all` includes everything.',
    types: ['azure-native:keyvault:AccessPolicy'],
    check({ properties }) {
      const { permissions } = fieldsOf(properties.policy);
      return Object.entries(fieldsOf(permissions)).flatMap(([area, list]) =>
        textsOf(list)
          .filter((permission) => excessivePermissions.includes(permission.toLowerCase()))
          .map((permission) => `${area} has "${permission}". Name what is needed, such as get.`),
      );
    },
  },
  {
    name: 'no-inline-policies',
    description:
      'Access policies are separate resources: those in the vault itself remove all others at each update.',
    types: vaults,
    check(resource) {
      const { accessPolicies } = settingsOf(resource);
      const count = Array.isArray(accessPolicies) ? accessPolicies.length : 0;
      return count === 0 ? [] : ['accessPolicies is not empty. Declare an AccessPolicy for each entry.'];
    },
  },
  {
    name: 'kept-in-production',
    description: `A production vault cannot be purged, and deleted secrets can be recovered for ${longestRetention} days.`,
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
    description: 'The firewall of a vault names networks that together are far smaller than the internet.',
    types: vaults,
    check(resource) {
      const count = addressesIn(settingsOf(resource).networkAcls);
      return count <= maxAddresses
        ? []
        : [
            `networkAcls lets ${count} addresses through; at most ${maxAddresses} (a /8 network) are allowed. Name the networks that need the vault; or, if the vault is meant to be open, set \`publicAccess: true\`.`,
          ];
    },
  },
  {
    name: 'no-public-vault',
    description: 'A production vault is not open to every network: a stolen token is useless elsewhere.',
    level: 'advisory',
    types: [vault],
    check({ properties }, { production }) {
      const { publicNetworkAccess = 'Enabled', networkAcls } = fieldsOf(properties.properties);
      const isClosed =
        textOf(publicNetworkAccess).toLowerCase() === 'disabled' ||
        (textOf(fieldsOf(networkAcls).defaultAction).toLowerCase() === 'deny' &&
          addressesIn(networkAcls) <= maxAddresses);
      return !production || isClosed
        ? []
        : [
            'The vault is reachable from every network. Set `publicAccess: false` with `privateEndpoints`, or name its networks in `network`.',
          ];
    },
  },
];
