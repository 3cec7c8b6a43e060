import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { releaseFileJsonSchema, stackFileSchema } from '../../../stacks/settings/editorSchema';
import type { JsonSchema } from '../../../stacks/settings/editorSchema';
import { projectRoot } from '../../support/command';

// What these do not prove: that an editor shows what the schema says; the keywords are those of draft 7 and of
// yaml-language-server. That schemas/ has what is tested here, the documentation's tests prove.

const read = (file: string): unknown => parse(readFileSync(path.join(projectRoot, file), 'utf8'));

/** Files of the program, those of other programs, of other tools and of the state aside. */
function files(folder: string, matches: RegExp): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      return ['bootstrap', 'node_modules', 'dist', '.state', '.git', 'tests'].includes(entry.name)
        ? []
        : files(name, matches);
    }
    return matches.test(name) ? [name] : [];
  });
}

function compile(schema: JsonSchema): (value: unknown) => string[] {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath}: ${keyword}`);
}

const stackProblems = compile(stackFileSchema());
const releaseProblems = compile(releaseFileJsonSchema('applications'));
const hostedReleaseProblems = compile(releaseFileJsonSchema('hostedClusters'));

const stackFiles = files('.', /(^|\/)Pulumi\.[^/]+\.yaml$/);
const releaseFiles = files('.', /(^|\/)applications\/(?!Pulumi\.)[^/]+\.yaml$/);

describe('every stack file of the project', () => {
  it.each(stackFiles)('%s is what its schema says', (file) => {
    expect(stackProblems(read(file))).toEqual([]);
  });

  it.each(stackFiles)('%s leads editors to the schema', (file) => {
    const [comment] = readFileSync(path.join(projectRoot, file), 'utf8').split('\n');
    const target = /^# yaml-language-server: \$schema=(\S+)$/.exec(comment ?? '')?.[1] ?? 'no schema';
    expect(path.join(path.dirname(file), target)).toBe('schemas/stack.schema.json');
  });

  it('is more than none', () => {
    expect(stackFiles).toEqual(
      expect.arrayContaining(['Pulumi.dev.yaml', 'Pulumi.local.yaml', 'Pulumi.prod.yaml']),
    );
  });
});

describe('every release file of the project', () => {
  it.each(releaseFiles)('%s is what its schema says', (file) => {
    expect(releaseProblems(read(file))).toEqual([]);
  });

  it.each(releaseFiles)('%s leads editors to the schema', (file) => {
    const [comment] = readFileSync(path.join(projectRoot, file), 'utf8').split('\n');
    const target = /^# yaml-language-server: \$schema=(\S+)$/.exec(comment ?? '')?.[1] ?? 'no schema';
    expect(path.join(path.dirname(file), target)).toBe('schemas/application.schema.json');
  });

  it('is more than none', () => {
    expect(releaseFiles).not.toEqual([]);
  });
});

const valid = {
  'aks-workload-identity:location': 'westeurope',
  'aks-workload-identity:resourceGroup': 'rg-test',
  'aks-workload-identity:vault': { name: 'kv-test' },
  'aks-workload-identity:clusters': [{ name: 'aks-1' }],
};

/** A stack file with changes under keys of ours. */
function stack(changes: Record<string, unknown>): unknown {
  const own = Object.entries(changes).map(([key, value]): [string, unknown] => [
    `aks-workload-identity:${key}`,
    value,
  ]);
  const config: Record<string, unknown> = { ...valid, ...Object.fromEntries(own) };
  return { config };
}

const vaultId =
  '/subscriptions/22222222-2222-4222-8222-222222222222/resourcegroups/rg/providers/microsoft.keyvault/Vaults/kv';

const dnsZones =
  '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.Network/privateDnsZones';

const hostedCluster = {
  ...{ name: 'hc1', managementCluster: 'aks-1', issuer: 'https://issuer.example/hc1' },
  resourceGroup: '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/hc1',
  subnet: dnsZones.replace('privateDnsZones', 'virtualNetworks/vnet/subnets/nodes'),
  securityGroup: dnsZones.replace('privateDnsZones', 'networkSecurityGroups/nsg'),
  release: './hosted-clusters/hc1.yaml',
};

describe('the schema of stack files takes', () => {
  it.each<[string, unknown]>([
    ["other packages' keys", { config: { ...valid, 'azure-native:location': 'westeurope' } }],
    ["Pulumi's own keys", { config: valid, encryptionsalt: 'v1:x', secretsprovider: 'passphrase' }],
    ['encrypted values', stack({ secretValues: { 'orders-db': { secure: 'v1:x' } } })],
    ['an object that is encrypted as a whole', stack({ kubeconfigs: { secure: 'v1:x' } })],
    ['a secret whose value the local cloud makes', stack({ secretValues: { 'orders-db': null } })],
    ['ids in any case', stack({ vault: { existing: vaultId } })],
    [
      'one of several shapes',
      stack({
        resourceGroup: { existing: '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg' },
      }),
    ],
    ['a hosted cluster with a release file', stack({ hostedClusters: [hostedCluster] })],
    [
      'another of them',
      stack({ applications: [{ name: 'a', image: 'x:1', clusters: { labels: { tier: 'front' } } }] }),
    ],
  ])('%s', (_, value) => {
    expect(stackProblems(value)).toEqual([]);
  });
});

describe('the schema of stack files refuses', () => {
  const key = (name: string): string => `/config/aks-workload-identity:${name}`;

  it.each<[string, unknown, string]>([
    ['no configuration', {}, ': required'],
    ['a misspelt key of ours', stack({ vualts: 'central' }), '/config: additionalProperties'],
    ['a key without a namespace', { config: { ...valid, protect: true } }, '/config: additionalProperties'],
    ['a misspelt key of Pulumi', { config: valid, encryptionSalt: 'x' }, ': additionalProperties'],
    [
      'a missing key',
      { config: { ...valid, 'aks-workload-identity:vault': undefined } },
      '/config: required',
    ],
    [
      'a nested misspelt key',
      stack({ clusters: [{ name: 'a', node: 1 }] }),
      `${key('clusters')}/0: additionalProperties`,
    ],
    ['a wrong choice', stack({ identity: 'clusters' }), `${key('identity')}: enum`],
    ['a wrong type', stack({ protect: 'yes' }), `${key('protect')}: type`],
    [
      'a name with a wrong letter',
      stack({ clusters: [{ name: 'Aks' }] }),
      `${key('clusters')}/0/name: pattern`,
    ],
    [
      'a name that is too long',
      stack({ vault: { name: 'k'.repeat(25) } }),
      `${key('vault')}/name: maxLength`,
    ],
    ['a name that is too short', stack({ vault: { name: 'kv' } }), `${key('vault')}/name: minLength`],
    [
      'the id of something else',
      stack({ vault: { existing: vaultId.replace('/Vaults/', '/x/') } }),
      `${key('vault')}/existing: pattern`,
    ],
    [
      'a number out of range',
      stack({ vault: { name: 'kv-test', softDeleteRetentionInDays: 6 } }),
      `${key('vault')}/softDeleteRetentionInDays: minimum`,
    ],
    [
      'a secret in plain text',
      stack({ secretValues: { 'orders-db': 'of the test' } }),
      `${key('secretValues')}/orders-db: type`,
    ],
    [
      'a kubeconfig in plain text',
      stack({ kubeconfigs: { 'edge-1': 'of the test' } }),
      `${key('kubeconfigs')}/edge-1: type`,
    ],
    [
      'an application with neither image nor chart nor release',
      stack({ applications: [{ name: 'a' }] }),
      `${key('applications')}/0: anyOf`,
    ],
    [
      'an application with image and chart',
      stack({ applications: [{ name: 'a', image: 'x:1', chart: { chart: './x' } }] }),
      `${key('applications')}/0: anyOf`,
    ],
    [
      'an existing cluster without its id',
      stack({ clusters: [{ name: 'a', mode: 'existing' }] }),
      `${key('clusters')}/0: oneOf`,
    ],
    [
      'the id of a cluster that is made',
      stack({ clusters: [{ name: 'a', id: 'x' }] }),
      `${key('clusters')}/0: additionalProperties`,
    ],
    [
      'an external cluster without its issuer',
      stack({ clusters: [{ name: 'a', mode: 'external' }] }),
      `${key('clusters')}/0: oneOf`,
    ],
    [
      'a release file outside the project',
      stack({ hostedClusters: [{ ...hostedCluster, release: '../hc1.yaml' }] }),
      `${key('hostedClusters')}/0/release: pattern`,
    ],
    ['a vault with neither name nor id', stack({ vault: {} }), `${key('vault')}: anyOf`],
    [
      'a vault with name and id',
      stack({ vault: { name: 'kv-test', existing: vaultId } }),
      `${key('vault')}: anyOf`,
    ],
    [
      'a group with nothing in it, for one that exists',
      stack({ resourceGroup: {} }),
      `${key('resourceGroup')}: anyOf`,
    ],
    [
      'a dependency without a service',
      stack({ applications: [{ name: 'a', image: 'x:1', dependencies: [{ name: 'f' }] }] }),
      `${key('applications')}/0/dependencies/0: anyOf`,
    ],
    [
      'the private DNS zone of another service',
      stack({
        vault: {
          name: 'kv-test',
          privateEndpoints: [
            { subnet: 'x', privateDnsZone: `${dnsZones}/privatelink.blob.core.windows.net` },
          ],
        },
      }),
      `${key('vault')}/privateEndpoints/0/privateDnsZone: pattern`,
    ],
    ['a tag that Azure refuses', stack({ tags: { 'a/b': 'x' } }), `${key('tags')}: propertyNames`],
    ['a tag of Azure', stack({ tags: { AZURE: 'x' } }), `${key('tags')}: propertyNames`],
    ['the tag of the stack', stack({ tags: { 'Pulumi-Stack': 'x' } }), `${key('tags')}: propertyNames`],
    ['a long value of a tag', stack({ tags: { a: 'v'.repeat(257) } }), `${key('tags')}/a: maxLength`],
    ['an encrypted value elsewhere', stack({ location: { secure: 'v1:x' } }), `${key('location')}: type`],
    [
      'a wrong name of a secret',
      stack({ secretValues: { orders_db: { secure: 'v1:x' } } }),
      `${key('secretValues')}: propertyNames`,
    ],
  ])('%s', (_, value, expected) => {
    // Without what is undefined, as a file has it.
    expect(stackProblems(JSON.parse(JSON.stringify(value)))).toContain(expected);
  });
});

describe('the schema of release files refuses', () => {
  const file = { name: 'orders', environments: { dev: '1.0.0' }, releases: { '1.0.0': { image: 'x:1' } } };

  it.each<[string, unknown, string]>([
    ['a misspelt key', { ...file, release: {} }, ': additionalProperties'],
    ['a version of two numbers', { ...file, environments: { dev: '1.0' } }, '/environments/dev: pattern'],
    ['a number as a version', { ...file, environments: { dev: 1 } }, '/environments/dev: type'],
    [
      'an image without a tag',
      { ...file, releases: { '1.0.0': { image: 'x' } } },
      '/releases/1.0.0/image: pattern',
    ],
  ])('%s', (_, value, expected) => {
    expect(releaseProblems(file)).toEqual([]);
    expect(releaseProblems(value)).toContain(expected);
  });
});

describe('the schema of release files of hosted clusters', () => {
  const file = { name: 'hc1', environments: { dev: '4.19.2' }, releases: { '4.19.2': { spec: {} } } };

  it('takes a spec', () => {
    expect(hostedReleaseProblems(file)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['no spec', {}, 'required'],
    ['an image', { spec: {}, image: 'x:1' }, 'additionalProperties'],
    ['a spec that is no object', { spec: [] }, 'type'],
  ])('refuses %s', (_, release, keyword) => {
    expect(hostedReleaseProblems({ ...file, releases: { '4.19.2': release } }).join()).toContain(keyword);
  });
});

describe('the configuration that the engine knows (Pulumi.yaml)', () => {
  it('is every single value with a default, of the type and the default that it has', () => {
    const { config: known } = read('Pulumi.yaml') as { config: Record<string, JsonSchema> };
    const { properties } = stackFileSchema() as {
      properties: { config: { properties: Record<string, JsonSchema> } };
    };
    const expected = Object.entries(properties.config.properties).flatMap(([key, field]) =>
      field.default === undefined || typeof field.default === 'object'
        ? []
        : [[key, { type: field.type, default: field.default }]],
    );
    const found = Object.entries(known).map(([key, field]) => [
      key,
      { type: field.type, default: field.default },
    ]);

    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });
});

describe('what editors show', () => {
  const { properties } = stackFileSchema() as {
    properties: { config: { properties: Record<string, JsonSchema> } };
  };
  const fields = properties.config.properties;

  it('is what a field means, what is allowed and what the default is', () => {
    expect(fields['aks-workload-identity:retainOnDelete']).toEqual({
      type: 'boolean',
      default: true,
      description:
        'true: identities, vaults, secrets, clusters and log workspaces stay in Azure when they are removed from the stack file or the stack is destroyed. false: they are deleted. Allowed: true, false. Default: true.',
      errorMessage: 'Allowed: true, false.',
    });
    expect(fields['aks-workload-identity:location']).toMatchObject({ examples: ['westeurope'] });
  });

  it('has the names that are reserved', () => {
    const text = JSON.stringify(stackFileSchema());

    expect(text).toContain('Name of the application. Not `aso`, not another one with -aso at its end');
    expect(text).toContain('none of `s00` to `s31`');
    expect(text).toContain('None of kube-* and default, cert-manager,');
  });

  it('is there for every key', () => {
    const silent = Object.entries(fields).filter(([, { description }]) => typeof description !== 'string');
    expect(silent).toEqual([]);
  });
});
