import * as pulumi from '@pulumi/pulumi';
import { assertAccess } from '../../../components/vault/access';
import type { KeyVaultArgs, NewKeyVault } from '../../../components/vault/arguments';
import { KeyVault } from '../../../components/vault/keyVault';
import { group, guidOf, ids } from './support/azure';
import { record, valueOf } from './support/recorder';

// What mocks do not prove: that the vault keeps policies which others wrote (the provider's work, as long as
// the program says nothing of them, which is asserted), that a grant lets anybody read, that values are
// encrypted in the state.

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const component = 'aks-workload-identity:vault:KeyVault';
const vaultType = 'azure-native:keyvault:Vault';
const secretType = 'azure-native:keyvault:Secret';
const assignmentType = 'azure-native:authorization:RoleAssignment';
const policyType = 'azure-native:keyvault:AccessPolicy';
const vaultId = `${group}/providers/Microsoft.KeyVault/vaults/kv-dev`;
const secretsUser = `/subscriptions/${ids.subscription}/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6`;

/** What the package's SDK adds by itself. */
const sdkDefaults = {
  enabledForDeployment: false,
  enabledForDiskEncryption: false,
  enabledForTemplateDeployment: false,
};
const create: NewKeyVault = { resourceGroupName: 'rg', vaultName: 'kv-dev', tenantId: ids.tenant };
const args: KeyVaultArgs = { create, access: 'rbac' };
const grant = (grantee: string, ...secrets: string[]) => ({
  grantee,
  principalId: guidOf(`principal-${grantee}`),
  secrets,
});

describe('KeyVault', () => {
  it('makes a vault that is retained, private and explicit about its mode', async () => {
    const { find, registrations } = await record(() => new KeyVault('central', args));

    expect(registrations).toHaveLength(2);
    expect(find(vaultType, 'central')).toEqual({
      type: vaultType,
      name: 'central',
      // No accessPolicies, whatever the mode: inline policies would wipe those of others.
      inputs: {
        resourceGroupName: 'rg',
        vaultName: 'kv-dev',
        properties: {
          ...sdkDefaults,
          tenantId: ids.tenant,
          sku: { family: 'A', name: 'standard' },
          enableRbacAuthorization: true,
          enableSoftDelete: true,
          softDeleteRetentionInDays: 90,
          enablePurgeProtection: true,
          publicNetworkAccess: 'Disabled',
        },
      },
      parent: `${component}::central`,
      dependencies: [],
      protect: false,
      retainOnDelete: true,
      provider: undefined,
    });
  });

  it('says that an access policy vault is none of RBAC, and never says false of purge protection', async () => {
    const { find } = await record(
      () =>
        new KeyVault('central', {
          access: 'accessPolicy',
          create: {
            ...create,
            purgeProtection: false,
            publicAccess: true,
            softDeleteRetentionInDays: 7,
            protect: false,
          },
        }),
    );

    const vault = find(vaultType, 'central');
    expect(vault.inputs.properties).toEqual({
      ...sdkDefaults,
      tenantId: ids.tenant,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: false,
      enableSoftDelete: true,
      softDeleteRetentionInDays: 7,
      publicNetworkAccess: 'Enabled',
    });
    expect(vault.protect).toBe(false);
  });

  it('writes secrets, their values marked as secret, and leaves them when they are dropped', async () => {
    const { find } = await record(
      () => new KeyVault('central', { ...args, secrets: { 'orders-db': 'value-of-the-test' } }),
    );

    const secret = find(secretType, 'central/orders-db');
    expect(secret.parent).toBe(`${component}::central`);
    expect(secret.retainOnDelete).toBe(true);
    expect(secret.inputs).toMatchObject({
      resourceGroupName: 'rg',
      vaultName: 'kv-dev',
      secretName: 'orders-db',
    });
    // The engine's form of a secret; a plain text would be written to the state in the clear.
    expect(JSON.stringify(secret.inputs.properties)).toContain('4dabf18193072939515e22adb298388d');
    expect(secret.dependencies).toContain(`${vaultType}::central`);
  });

  it('grants by role: one assignment on each named secret, after the secret', async () => {
    const { find, names, result } = await record(
      () =>
        new KeyVault('central', {
          ...args,
          secrets: { 'orders-db': 'x' },
          grants: [grant('aks-1', 'shared-api-key', 'orders-db')],
        }),
    );

    expect(names(assignmentType).sort()).toEqual(['central/aks-1/orders-db', 'central/aks-1/shared-api-key']);
    const written = find(assignmentType, 'central/aks-1/orders-db');
    expect(written.inputs).toEqual({
      scope: `${vaultId}/secrets/orders-db`,
      roleDefinitionId: secretsUser,
      principalId: guidOf('principal-aks-1'),
      principalType: 'ServicePrincipal',
      roleAssignmentName: matching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
    expect(written.parent).toBe(`${component}::central`);
    expect(written.dependencies).toContain(`${secretType}::central/orders-db`);
    // An existing one has nothing to wait for but the vault.
    expect(find(assignmentType, 'central/aks-1/shared-api-key').dependencies).toEqual([
      `${vaultType}::central`,
    ]);
    expect(names(policyType)).toEqual([]);
    expect(result.readableBy('aks-1', ['orders-db', 'shared-api-key'])).toHaveLength(2);
    expect(() => result.readableBy('aks-1', ['orders-db', 'billing-db'])).toThrow(
      'grantee "aks-1" has no grant on billing-db. Allowed: what `grants` gives it.',
    );
    expect(() => result.readableBy('nobody', ['orders-db'])).toThrow(
      'grantee "nobody" has no grant on orders-db',
    );
  });

  it('tells grants apart whose names would run together', async () => {
    const grants = [grant('aks-1', 'billing-db'), grant('aks-1-billing', 'db')];
    const { names } = await record(() => new KeyVault('kv', { ...args, grants }));

    expect(names(assignmentType).sort()).toEqual(['kv/aks-1-billing/db', 'kv/aks-1/billing-db']);
  });

  it('grants by access policy: one policy to get, and neither to list nor to set', async () => {
    const { find, names, result } = await record(
      () =>
        new KeyVault('reports', {
          ...args,
          access: 'accessPolicy',
          secrets: { db: 'x' },
          grants: [grant('aks-2-reports', 'db', 'old')],
        }),
    );

    expect(names(policyType)).toEqual(['reports/aks-2-reports']);
    expect(find(policyType, 'reports/aks-2-reports').inputs).toEqual({
      resourceGroupName: 'rg',
      vaultName: 'kv-dev',
      policy: {
        tenantId: ids.tenant,
        objectId: guidOf('principal-aks-2-reports'),
        permissions: { secrets: ['get'] },
      },
    });
    expect(names(assignmentType)).toEqual([]);
    // The policy, and the secret that is written here.
    expect(result.readableBy('aks-2-reports', ['db', 'old'])).toHaveLength(2);
  });

  it('writes to a vault one after the other: Azure refuses some of what is written side by side', async () => {
    const grants = [grant('aks-1', 'a'), grant('aks-2', 'b')];
    const { find } = await record(
      () => new KeyVault('kv', { ...args, access: 'accessPolicy', secrets: { a: 'x', b: 'x' }, grants }),
    );

    expect(find(policyType, 'kv/aks-1').dependencies).toEqual([`${vaultType}::kv`]);
    expect(find(policyType, 'kv/aks-2').dependencies).toContain(`${policyType}::kv/aks-1`);
    expect(find(secretType, 'kv/a').dependencies).toContain(`${policyType}::kv/aks-2`);
    expect(find(secretType, 'kv/b').dependencies).toContain(`${secretType}::kv/a`);
  });

  it('tells secrets apart whose names would run together', async () => {
    const { names } = await record(() => {
      new KeyVault('kv', { ...args, secrets: { 'reports-db': 'x' } });
      new KeyVault('kv-reports', { ...args, secrets: { db: 'x' } });
    });

    expect(names(secretType).sort()).toEqual(['kv-reports/db', 'kv/reports-db']);
  });

  it('reads an existing vault, and writes to it only what it is asked to', async () => {
    const { result, registrations, calls, find } = await record(
      () =>
        new KeyVault('central', {
          existing: `${group}/providers/Microsoft.KeyVault/vaults/existing`,
          access: 'rbac',
          grants: [grant('aks-1', 'db')],
        }),
    );

    expect(registrations.map(({ type }) => type)).toEqual([component, assignmentType]);
    expect(calls).toEqual([
      { token: 'azure-native:keyvault:getVault', inputs: { resourceGroupName: 'rg', vaultName: 'existing' } },
    ]);
    expect(find(assignmentType, 'central/aks-1/db').inputs.scope).toBe(
      `${group}/providers/Microsoft.KeyVault/vaults/existing/secrets/db`,
    );
    expect(await valueOf(result.uri)).toBe('https://existing.vault.azure.net/');
  });

  it('has a firewall that refuses whatever is not named', async () => {
    const subnet = `${group}/providers/Microsoft.Network/virtualNetworks/vnet/subnets/apps`;
    const { find } = await record(
      () =>
        new KeyVault('central', {
          ...args,
          create: {
            ...create,
            publicAccess: true,
            firewall: {
              allowedIpRanges: ['203.0.113.7', '198.51.100.0/24'],
              allowedSubnets: [subnet],
              trustedServices: false,
            },
          },
        }),
    );

    expect(find(vaultType, 'central').inputs.properties).toMatchObject({
      publicNetworkAccess: 'Enabled',
      networkAcls: {
        defaultAction: 'Deny',
        bypass: 'None',
        // Azure answers a single address as a range.
        ipRules: [{ value: '203.0.113.7/32' }, { value: '198.51.100.0/24' }],
        virtualNetworkRules: [{ id: subnet }],
      },
    });
  });

  it('tells the workspace who read what', async () => {
    const { find } = await record(
      () =>
        new KeyVault('central', {
          ...args,
          create: {
            ...create,
            logs: { workspaceId: `${group}/providers/Microsoft.OperationalInsights/workspaces/log` },
          },
        }),
    );

    expect(find('azure-native:monitor:DiagnosticSetting', 'central-logs').inputs).toEqual({
      name: 'aks-workload-identity',
      resourceUri: vaultId,
      workspaceId: `${group}/providers/Microsoft.OperationalInsights/workspaces/log`,
      logs: [{ categoryGroup: 'audit', enabled: true }],
      logAnalyticsDestinationType: 'Dedicated',
    });
  });

  it('is locked after all grants: a lock keeps role assignments from being deleted', async () => {
    const grants = [grant('aks-1', 'db'), grant('aks-2', 'db')];
    const { find } = await record(
      () => new KeyVault('central', { ...args, secrets: { db: 'x' }, grants, lock: true }),
    );

    const lock = find('azure-native:authorization:ManagementLockByScope', 'central-lock');
    expect(lock.inputs).toMatchObject({
      scope: vaultId,
      level: 'CanNotDelete',
      lockName: 'aks-workload-identity',
    });
    expect(lock.dependencies).toEqual(
      expect.arrayContaining([`${assignmentType}::central/aks-1/db`, `${assignmentType}::central/aks-2/db`]),
    );
  });

  it.each([
    ['accessPolicy', true, 'rbac'],
    ['rbac', false, 'accessPolicy'],
    ['rbac', undefined, 'accessPolicy'],
  ] as const)('refuses %s for an existing vault that says %p', (access, found, actual) => {
    const wanted = { component: 'KeyVault central', vault: 'existing', access };

    expect(() => assertAccess(wanted, found)).toThrow(
      `KeyVault central: access "${access}" does not fit the vault existing, which uses ${actual}. Allowed: ${actual}.`,
    );
    expect(() => assertAccess({ ...wanted, access: actual }, found)).not.toThrow();
  });

  it.each([
    [{ vaultName: 'kv' }, /vaultName "kv" is not a valid name\. Allowed: 3 to 24/],
    [{ vaultName: '1kv' }, /vaultName "1kv"/],
    [{ vaultName: 'kv--x' }, /vaultName "kv--x"/],
    [{ vaultName: 'kv-x-' }, /vaultName "kv-x-"/],
    [{ vaultName: `k${'v'.repeat(24)}` }, /vaultName/],
    [{ softDeleteRetentionInDays: 6 }, /create\.softDeleteRetentionInDays 6 .* from 7 to 90/],
    [{ softDeleteRetentionInDays: 91 }, /softDeleteRetentionInDays 91 /],
    [
      { firewall: { allowedIpRanges: [], allowedSubnets: [], trustedServices: true } },
      /firewall has no effect on a vault without public access\. Allowed: a firewall beside `publicAccess: true`/,
    ],
    [
      { privateEndpoints: [{ subnet: 'apps' }] },
      /create\.privateEndpoints\[0\]\.subnet "apps" is not the id of a subnet/,
    ],
    [{ softDeleteRetentionInDays: 7.5 }, /softDeleteRetentionInDays 7\.5 /],
  ])('refuses %j', async (wrong, message) => {
    await expect(
      record(() => new KeyVault('central', { ...args, create: { ...create, ...wrong } })),
    ).rejects.toThrow(message);
  });

  it.each([
    [{ secrets: { a_b: 'value-of-the-test' } }, /secrets "a_b" is not a valid name\. Allowed: 1 to 127/],
    [{ grants: [grant('aks-1', '*')] }, /grants\[0\]\.secrets\[0\] "\*" is not a valid name/],
    [
      { grants: [grant('a', 'x'), grant('a', 'y')] },
      /grants\[1\]\.grantee "a" is that of grants\[0\] already/,
    ],
    [{ existing: 'id' }, /args cannot have both create and existing/],
  ])('refuses %j beside it', async (wrong, message) => {
    const recorded = record(() => new KeyVault('central', { ...args, ...wrong }));

    await expect(recorded).rejects.toThrow(message);
    await expect(recorded).rejects.not.toThrow(/value-of-the-test/);
  });

  it('refuses a lock on an existing vault', async () => {
    const existing = `${group}/providers/Microsoft.KeyVault/vaults/existing`;
    await expect(
      record(() => new KeyVault('central', { existing, access: 'rbac', lock: true })),
    ).rejects.toThrow('lock true cannot be on an existing vault, which is never changed');
  });

  it('refuses an output as a grantee: the names of its grants depend on it', async () => {
    const grantee = pulumi.output('aks-1') as unknown as string;
    const grants = [{ ...grant('aks-1', 'db'), grantee }];

    await expect(record(() => new KeyVault('central', { ...args, grants }))).rejects.toThrow(
      /KeyVault central: grants\[0\]\.grantee is an output of another resource, and has to be known before resources are made\. Allowed: a plain value\./,
    );
  });

  it('refuses as existing what is no vault', async () => {
    await expect(
      record(() => new KeyVault('central', { existing: 'kv-dev', access: 'rbac' })),
    ).rejects.toThrow(/"kv-dev" is not the id of a resource of type Microsoft\.KeyVault\/vaults/);
  });
});
