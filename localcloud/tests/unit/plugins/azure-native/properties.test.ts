import * as fc from 'fast-check';
import { Secret, unknown, type Properties } from '../../../../plugins/protocol';
import { findFunction, findResource } from '../../../../plugins/azure-native/catalogue';
import { checkInputs } from '../../../../plugins/resources/check';
import { createBeforeDeleteMark } from '../../../../plugins/azure-native/diff';
import { generateName } from '../../../../plugins/azure-native/naming';
import { outputsOf } from '../../../../plugins/azure-native/outputs';
import { previewOutputs } from '../../../../plugins/resources/preview';
import { requestBody } from '../../../../plugins/azure-native/requestBody';
import { parseResourceId, resourceId } from '../../../../plugins/azure-native/resourceId';

const vault = findResource('azure-native:keyvault:Vault');
const cluster = findResource('azure-native:containerservice:ManagedCluster');
const credential = findResource('azure-native:managedidentity:FederatedIdentityCredential');
const assignment = findResource('azure-native:authorization:RoleAssignment');
const policy = findResource('azure-native:keyvault:AccessPolicy');
const group = findResource('azure-native:resources:ResourceGroup');

const vaultInputs: Properties = {
  resourceGroupName: 'rg',
  vaultName: 'kv',
  location: 'westeurope',
  properties: { tenantId: 't', sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
};

describe('types', () => {
  it('are found by versioned tokens too, and unknown ones are refused with those that exist', () => {
    expect(findResource('azure-native:keyvault/v20230701:Vault').token).toBe(vault.token);
    expect(() => findResource('azure-native:storage:StorageAccount')).toThrow(
      /no resource type 'azure-native:storage:StorageAccount': it has .*azure-native:keyvault:Vault/,
    );
    expect(() => findFunction('azure-native:keyvault:getKey')).toThrow(
      /no function 'azure-native:keyvault:getKey'/,
    );
  });
});

describe('checking inputs', () => {
  it('accepts a complete resource, with secrets and unknowns in it', () => {
    const inputs = { ...vaultInputs, resourceGroupName: unknown, tags: new Secret({ team: 'a' }) };
    expect(checkInputs(vault.inputs, inputs)).toEqual([]);
  });

  it.each<[string, Properties, string, RegExp]>([
    [
      'a missing input',
      { vaultName: 'kv', properties: vaultInputs['properties'] ?? {} },
      'resourceGroupName',
      /missing required/,
    ],
    [
      'a missing nested input',
      { ...vaultInputs, properties: { tenantId: 't' } },
      'properties.sku',
      /missing required/,
    ],
    ['an unknown input', { ...vaultInputs, vaultname: 'x' }, 'vaultname', /did you mean 'vaultName'\?/],
    [
      'an unknown nested input',
      {
        ...vaultInputs,
        properties: { ...(vaultInputs['properties'] as Properties), enableRBACAuthorisation: true },
      },
      'properties.enableRBACAuthorisation',
      /did you mean 'properties.enableRbacAuthorization'\?/,
    ],
    ['another kind', { ...vaultInputs, location: 7 }, 'location', /should be a string but is a number/],
    [
      'a list for an object',
      { ...vaultInputs, properties: [] },
      'properties',
      /should be an object but is a list/,
    ],
  ])('names %s', (_case, inputs, property, reason) => {
    const failures = checkInputs(vault.inputs, inputs);
    expect(failures.find((failure) => failure.property === property)?.reason).toMatch(reason);
  });

  it('never shows the value of a secret', () => {
    const failures = checkInputs(vault.inputs, { ...vaultInputs, properties: new Secret('hunter2') });
    expect(failures).toHaveLength(1);
    expect(JSON.stringify(failures)).not.toContain('hunter2');
  });
});

describe('resource ids', () => {
  it.each<[string, Properties, typeof vault, string]>([
    [
      'a vault',
      vaultInputs,
      vault,
      '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv',
    ],
    [
      'a role assignment, whatever slashes its scope has',
      { scope: '//subscriptions/s/resourceGroups/rg', roleAssignmentName: 'g' },
      assignment,
      '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Authorization/roleAssignments/g',
    ],
    [
      'an access policy, named by a nested input',
      { resourceGroupName: 'rg', vaultName: 'kv', policy: { objectId: 'o' } },
      policy,
      '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv/accessPolicy/o',
    ],
  ])('are made for %s', (_case, inputs, type, id) => {
    expect(resourceId(type.path, inputs, 's')).toBe(id);
  });

  it('name the input that is missing', () => {
    expect(() => resourceId(vault.path, { resourceGroupName: 'rg' }, 's')).toThrow(
      /'vaultName' has no value/,
    );
    expect(() => resourceId(vault.path, { ...vaultInputs, vaultName: unknown }, 's')).toThrow(/'vaultName'/);
  });

  it('contain the inputs that they were made from', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9-]{1,20}$/);
    fc.assert(
      fc.property(name, name, name, (resourceGroupName, resourceName, own) => {
        const inputs = { resourceGroupName, resourceName, federatedIdentityCredentialResourceName: own };
        expect(parseResourceId(credential.path, resourceId(credential.path, inputs, 's'))).toEqual(inputs);
      }),
    );
  });

  it('are read with nested inputs and scopes, and refused if of another form', () => {
    const scope = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv/secrets/x';
    expect(
      parseResourceId(assignment.path, `${scope}/providers/Microsoft.Authorization/roleAssignments/g`),
    ).toEqual({
      scope,
      roleAssignmentName: 'g',
    });
    expect(() => parseResourceId(vault.path, '/subscriptions/s')).toThrow(/is not an id of the form/);
  });
});

describe('request bodies', () => {
  it('keep `properties` where the declarations have it', () => {
    expect(requestBody(vault, vaultInputs)).toEqual({
      location: 'westeurope',
      properties: vaultInputs['properties'],
    });
  });

  it('nest what the declarations flatten, without secret marks, path inputs and marks of the plugin', () => {
    const inputs = {
      resourceGroupName: 'rg',
      resourceName: 'id',
      federatedIdentityCredentialResourceName: 'c',
      issuer: new Secret('https://issuer/'),
      subject: 'system:serviceaccount:a:b',
      audiences: ['api://AzureADTokenExchange'],
      [createBeforeDeleteMark]: true,
    };
    expect(requestBody(credential, inputs)).toEqual({
      properties: {
        issuer: 'https://issuer/',
        subject: 'system:serviceaccount:a:b',
        audiences: ['api://AzureADTokenExchange'],
      },
    });
  });

  it('turn lists of identities into the map that the API takes', () => {
    const inputs = { identity: { type: 'UserAssigned', userAssignedIdentities: ['/id/1'] }, dnsPrefix: 'd' };
    expect(requestBody(cluster, inputs)).toEqual({
      identity: { type: 'UserAssigned', userAssignedIdentities: { '/id/1': {} } },
      properties: { dnsPrefix: 'd' },
    });
  });
});

describe('outputs', () => {
  it('are flattened, declared ones only, with the API version', () => {
    const response = {
      id: '/id',
      name: 'c',
      type: 'T',
      etag: 'not declared',
      properties: { issuer: 'i', subject: 's', audiences: ['a'], secretlyNew: true },
    };
    expect(outputsOf(credential, response)).toEqual({
      name: 'c',
      type: 'T',
      issuer: 'i',
      subject: 's',
      audiences: ['a'],
      azureApiVersion: '2023-01-31',
    });
  });
});

describe('previews', () => {
  it('expect inputs back and leave everything else unknown, nested outputs too', () => {
    const outputs = previewOutputs(cluster.outputs, {
      location: 'westeurope',
      oidcIssuerProfile: { enabled: true },
      identity: { type: 'UserAssigned', userAssignedIdentities: ['/id/1'] },
    });
    expect(outputs['location']).toBe('westeurope');
    expect(outputs['oidcIssuerProfile']).toEqual({ enabled: true, issuerURL: unknown });
    expect(outputs['identity']).toMatchObject({ type: 'UserAssigned', userAssignedIdentities: unknown });
    expect(outputs['fqdn']).toBe(unknown);
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(cluster.outputs).sort());
  });

  it('keep secret marks', () => {
    const outputs = previewOutputs(group.outputs, { tags: new Secret({ a: 'b' }) });
    expect(outputs['tags']).toEqual(new Secret({ a: 'b' }));
  });
});

describe('generated names', () => {
  const seed = { name: 'vault', randomSeed: new Uint8Array([1, 2, 3]) };

  it('are of the kind that the type has', () => {
    expect(generateName('copy', seed)).toBe('vault');
    expect(generateName('random', seed)).toMatch(/^vault[0-9a-f]{8}$/);
    expect(generateName('guid', seed)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('are the same for a preview and its update, and differ from seed to seed', () => {
    expect(generateName('guid', seed)).toBe(generateName('guid', { ...seed }));
    expect(generateName('guid', seed)).not.toBe(
      generateName('guid', { ...seed, randomSeed: new Uint8Array([9]) }),
    );
    const unseeded = { name: 'x', randomSeed: new Uint8Array() };
    expect(generateName('random', unseeded)).not.toBe(generateName('random', unseeded));
  });
});
