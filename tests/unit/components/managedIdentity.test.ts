import * as pulumi from '@pulumi/pulumi';
import { assertExisting } from '../../../components/azure/resourceId';
import { ManagedIdentity } from '../../../components/identity/managedIdentity';
import { group, guidOf, ids } from './support/azure';
import { record, valueOf } from './support/recorder';

// What mocks do not prove: that Azure accepts the names and the group, that an existing identity exists, and
// that the provider refuses to delete what is protected.

const component = 'aks-workload-identity:identity:ManagedIdentity';
const resource = 'azure-native:managedidentity:UserAssignedIdentity';

describe('ManagedIdentity', () => {
  it('makes one identity, named as the component and retained', async () => {
    const { registrations } = await record(
      () => new ManagedIdentity('id-dev-aks-1', { create: { resourceGroupName: 'rg' } }),
    );

    expect(registrations).toEqual([
      {
        type: component,
        name: 'id-dev-aks-1',
        inputs: {},
        parent: undefined,
        dependencies: [],
        protect: false,
        retainOnDelete: false,
        provider: undefined,
      },
      {
        type: resource,
        name: 'id-dev-aks-1',
        // No location and no tags: the keys are absent, not empty.
        inputs: { resourceGroupName: 'rg', resourceName: 'id-dev-aks-1' },
        parent: `${component}::id-dev-aks-1`,
        dependencies: [],
        protect: false,
        retainOnDelete: true,
        provider: undefined,
      },
    ]);
  });

  it('hands on name, region, tags and the wish not to be protected', async () => {
    const { find } = await record(
      () =>
        new ManagedIdentity('aks-1', {
          create: {
            resourceGroupName: 'rg',
            identityName: 'id-dev-aks-1',
            location: 'westeurope',
            tags: { environment: 'dev' },
            protect: false,
          },
        }),
    );

    const identity = find(resource, 'aks-1');
    expect(identity.inputs).toEqual({
      resourceGroupName: 'rg',
      resourceName: 'id-dev-aks-1',
      location: 'westeurope',
      tags: { environment: 'dev' },
    });
    expect(identity.protect).toBe(false);
  });

  it('gives the ids that Azure answered', async () => {
    const { result } = await record(
      () => new ManagedIdentity('id-x', { create: { resourceGroupName: 'rg' } }),
    );

    expect(await valueOf(result.clientId)).toBe(guidOf('client-id-x'));
    expect(await valueOf(result.principalId)).toBe(guidOf('principal-id-x'));
    expect(await valueOf(result.tenantId)).toBe(ids.tenant);
    expect(await valueOf(result.resourceGroupName)).toBe('rg');
  });

  it('reads an existing identity and registers none', async () => {
    const existing = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/existing`;

    const { result, registrations, calls } = await record(() => new ManagedIdentity('aks-1', { existing }));

    expect(registrations.map(({ type }) => type)).toEqual([component]);
    expect(calls).toEqual([
      {
        token: 'azure-native:managedidentity:getUserAssignedIdentity',
        inputs: { resourceGroupName: 'rg', resourceName: 'existing' },
      },
    ]);
    expect(await valueOf(result.principalId)).toBe(guidOf('principal-existing'));
    expect(await valueOf(result.identityName)).toBe('existing');
    expect(await valueOf(result.resourceGroupName)).toBe('rg');
  });

  it('refuses what was found in place of the one that was named', () => {
    // Purely: Pulumi's mocks do not hand on what an `apply` throws.
    const found = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/existing`;
    const other = found.replace(ids.subscription, '33333333-3333-4333-8333-333333333333');

    expect(() => assertExisting('ManagedIdentity x', other, found)).toThrow(
      /^ManagedIdentity x: existing .* is in another subscription than the one deployed to/,
    );
    // Azure's own spelling of an id varies.
    expect(() => assertExisting('ManagedIdentity x', found.toLowerCase(), found)).not.toThrow();
  });

  it.each([
    [{}, /ManagedIdentity x: args is missing\. Allowed: exactly one of create, existing\./],
    [
      { create: { resourceGroupName: 'rg' }, existing: 'id' },
      /args cannot have both create and existing\. Allowed: exactly one of create, existing\./,
    ],
  ])('refuses %j: it is made, or exists', async (args, message) => {
    await expect(record(() => new ManagedIdentity('x', args))).rejects.toThrow(message);
  });

  it('takes a name that is known later', async () => {
    const { find } = await record(
      () =>
        new ManagedIdentity('x', {
          create: { resourceGroupName: 'rg', identityName: pulumi.output('id-later') },
        }),
    );

    expect(find(resource, 'x').inputs.resourceName).toBe('id-later');
  });

  it.each([
    ['ab', 'too short'],
    ['-abc', 'starting with a hyphen'],
    ['a.bc', 'with a period'],
    ['a'.repeat(129), 'too long'],
  ])('refuses the name %p (%s) with the rule', async (identityName) => {
    await expect(
      record(() => new ManagedIdentity('aks-1', { create: { resourceGroupName: 'rg', identityName } })),
    ).rejects.toThrow(/ManagedIdentity aks-1: create\.identityName .* Allowed: 3 to 128 letters/);
  });

  it.each(['existing', `${group}/providers/Microsoft.KeyVault/vaults/existing`])(
    'refuses %p as existing, which is no identity',
    async (existing) => {
      await expect(record(() => new ManagedIdentity('aks-1', { existing }))).rejects.toThrow(
        /is not the id of a resource of type Microsoft\.ManagedIdentity\/userAssignedIdentities.*az resource list/,
      );
    },
  );
});
