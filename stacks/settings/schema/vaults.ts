import * as z from 'zod';
import { vaultZones } from '../../../components/azure/clouds';
import { limits } from '../../../components/azure/limits';
import { vaultType, zoneType } from '../../../components/azure/resourceId';
import {
  addressRange,
  boolean,
  choice,
  countField,
  field,
  list,
  created,
  name,
  named,
  object,
  resourceId,
  retainOnDelete,
  subnetId,
  tags,
} from './fields';

export const placement = () =>
  choice(
    ['central', 'perApplication'],
    "Where secrets are: in the central vault of the environment, or in the application's own vault.",
  );

const vaultAccess = () =>
  choice(
    ['rbac', 'accessPolicy'],
    'rbac: a role assignment on each named secret. accessPolicy: a policy that covers all secrets of the vault.',
  );

const vaultGrants = () =>
  choice(
    ['secret', 'condition'],
    'secret: a role assignment on each secret. condition: one on the vault for each reader, under a condition that names the secrets; in preview in Azure since 2026-07.',
  );

export const vaultId = resourceId(
  vaultType,
  'keyVault',
  'Resource id of an existing vault. It is used as it is, never changed and never deleted.',
);

const network = object(
  'Firewall of the vault, which refuses all other addresses and subnets. It needs `publicAccess: true`.',
  {
    allowedIpRanges: list(
      addressRange,
      'Public addresses that can reach the vault.',
      'a list of IPv4 addresses or ranges',
    ).default([]),
    allowedSubnets: list(
      subnetId('A subnet whose service endpoint reaches the vault.'),
      'Subnets that can reach the vault.',
      'a list of ids of subnets',
    ).default([]),
    trustedServices: boolean("Whether Microsoft's trusted services can reach the vault.").default(true),
  },
);

const privateEndpoint = object('A private endpoint of the vault.', {
  subnet: subnetId("Subnet of the endpoint's address."),
  privateDnsZone: resourceId(
    zoneType,
    vaultZones,
    'Private DNS zone that registers the endpoint, privatelink.vaultcore.azure.net in the public cloud. Default: none.',
  ).optional(),
});

/** Fields of a vault that the stack creates. */
const vaultSurroundings = {
  network: network.optional(),
  privateEndpoints: list(
    privateEndpoint,
    'Private endpoints to create for the vault.',
    'a list of objects with at least `subnet`',
  ).optional(),
  lock: boolean(
    'CanNotDelete lock: nobody can delete the vault until the lock is removed. The account that deploys needs the right to create locks, as in Owner and User Access Administrator.',
  ).optional(),
  tags: tags("Tags of the vault, in addition to the environment's.").optional(),
};

const vaultRetention = { retainOnDelete: retainOnDelete('the vault and its secrets').optional() };

/**
 * Fields of the central vault. If it is an existing one, all but `access` and `grants` apply to the vaults that are
 * created for applications.
 */
const central = {
  ...vaultSurroundings,
  ...vaultRetention,
  access: vaultAccess().default('rbac'),
  grants: vaultGrants().default('secret'),
  publicAccess: boolean(
    'Whether the vault is reachable from the internet; every request still needs a token with access.',
  ).default(false),
  softDeleteRetentionInDays: countField(
    'Number of days for which a deleted vault or secret can be recovered. It cannot be changed later.',
    ...limits.softDeleteRetentionInDays,
  ).default(90),
  purgeProtection: boolean(
    'Whether nobody can purge a deleted vault or secret before its retention ends. It cannot be disabled later.',
  ).default(true),
  overreach: choice(
    ['refused', 'accepted'],
    'Whether access policies may let an identity read more of a vault than its applications name.',
  ).default('refused'),
};

export const vault = field(
  z.union([
    z
      .strictObject({ name: name('keyVault', 'Name of the vault, unique in all of Azure.'), ...central })
      .transform(created),
    z.strictObject({ existing: vaultId, ...central }).transform(named),
  ]),
  {
    description: 'The central vault.',
    allowed: 'an object with at least `name` or `existing`',
    discriminatingKeys: ['name', 'existing'],
  },
);

/** Fields of an application's own vault, created or existing. */
const own = {
  placement: placement().optional(),
  access: vaultAccess().optional(),
  grants: vaultGrants().optional(),
  ...vaultRetention,
};

/** The keys of a new vault for which an existing one has no values. */
const withoutSurroundings = {
  network: undefined,
  privateEndpoints: undefined,
  lock: undefined,
  tags: undefined,
};

/** The vault of one application's secrets. */
export const applicationVault = field(
  z.union([
    z
      .strictObject({
        name: name(
          'keyVault',
          "Name of the application's own vault. Default: <central vault>-<application>.",
        ).optional(),
        ...own,
        ...vaultSurroundings,
      })
      .transform(created),
    z
      .strictObject({ existing: vaultId, ...own })
      .transform((vault) => ({ ...withoutSurroundings, ...named(vault) })),
  ]),
  {
    description: "Vault of this application's secrets.",
    allowed: 'an object of `placement`, `access`, `name` or `existing`, and what a vault has',
    discriminatingKeys: ['name', 'existing'],
  },
);
