import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { releaseFileJsonSchema, stackFileSchema } from '../../../stacks/settings/editorSchema';
import type { JsonSchema } from '../../../stacks/settings/editorSchema';
import { parseSettings } from '../../../stacks/settings/parse';
import type { Path } from '../../../stacks/settings/problem';
import { encryptedOnly, project } from '../../../stacks/settings/problem';
import { projectRoot } from '../../support/command';
import { cases } from './problems';
import { stackOf } from './problems/table';

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

describe.each([
  ['stack file', stackFiles, stackProblems, 'schemas/stack.schema.json'],
  ['release file', releaseFiles, releaseProblems, 'schemas/application.schema.json'],
])('every %s of the project', (_, found, problemsOf, schema) => {
  it.each(found)('%s is what its schema says, and leads editors to it', (file) => {
    const [comment = ''] = readFileSync(path.join(projectRoot, file), 'utf8').split('\n');
    const target = /^# yaml-language-server: \$schema=(\S+)$/.exec(comment)?.[1] ?? 'no schema';

    expect(problemsOf(read(file))).toEqual([]);
    expect(path.join(path.dirname(file), target)).toBe(schema);
  });
});

it('is a file of each stack, and more than no release file', () => {
  expect(stackFiles).toEqual(
    expect.arrayContaining(['Pulumi.dev.yaml', 'Pulumi.local.yaml', 'Pulumi.prod.yaml']),
  );
  expect(releaseFiles).not.toEqual([]);
});

const of = (key: string) => `${project}:${key}`;
const valid = {
  [of('location')]: 'westeurope',
  [of('resourceGroup')]: 'rg-test',
  [of('vault')]: { name: 'kv-test' },
  [of('clusters')]: [{ name: 'aks-1' }],
};

/** A stack file with changes under keys of ours. */
const stack = (changes: object) => ({
  config: {
    ...valid,
    ...Object.fromEntries(Object.entries(changes).map(([key, value]) => [of(key), value])),
  },
});

describe('the schema of stack files takes', () => {
  it.each<[string, unknown]>([
    ["other packages' keys", { config: { ...valid, 'azure-native:location': 'westeurope' } }],
    ["Pulumi's own keys", { config: valid, encryptionsalt: 'v1:x', secretsprovider: 'passphrase' }],
    ['encrypted values', stack({ secretValues: { 'orders-db': { secure: 'v1:x' } } })],
    ['an object that is encrypted as a whole', stack({ kubeconfigs: { secure: 'v1:x' } })],
    ['a secret whose value the local cloud makes', stack({ secretValues: { 'orders-db': null } })],
  ])('%s', (_, value) => {
    expect(stackProblems(value)).toEqual([]);
  });
});

describe('the schema of stack files refuses', () => {
  const key = (name: string): string => `/config/${of(name)}`;

  it.each<[string, unknown, string]>([
    ['no configuration', {}, ': required'],
    ['a key without a namespace', { config: { ...valid, protect: true } }, '/config: additionalProperties'],
    ['a misspelt key of Pulumi', { config: valid, encryptionSalt: 'x' }, ': additionalProperties'],
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
    ['an encrypted value elsewhere', stack({ location: { secure: 'v1:x' } }), `${key('location')}: type`],
    [
      'a wrong name of a secret',
      stack({ secretValues: { orders_db: { secure: 'v1:x' } } }),
      `${key('secretValues')}: propertyNames`,
    ],
  ])('%s', (_, value, expected) => {
    expect(stackProblems(value)).toContain(expected);
  });

  it('every invalid single value of the table of problems, at its place, and nothing else', () => {
    const wrong = cases.flatMap(({ name, subject, row }) => {
      if (typeof row.change === 'string') return [];
      // Of secrets the file has other values than the program.
      const open = Object.entries(stackOf(subject, row).input).filter(
        ([setting]) => !encryptedOnly.includes(setting),
      );
      const errors = stackProblems({
        config: Object.fromEntries(open.map(([setting, value]) => [of(setting), value])),
      });
      const { problems } = parseSettings(Object.fromEntries(open));
      const isRefused = (place: Path) => {
        const steps = place.slice(1).map((step) => String(step).replaceAll('/', '~1'));
        const at = ['/config', of(String(place[0])), ...steps].join('/');
        const around = errors
          .map((error) => error.split(': ')[0] ?? '')
          .filter((pointer) => at.startsWith(pointer));
        return around.some((pointer) => pointer.split('/').length > (place.length > 1 ? 2 : 1));
      };
      const missed = problems.map(({ path: place }) => place).filter((place) => !isRefused(place));
      return missed.length > 0 || errors.length > 0 !== problems.length > 0 ? [{ name, errors, missed }] : [];
    });

    expect(wrong).toEqual([]);
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

    expect(text).toContain('Reserved: `aso`, the name of another application with -aso appended');
    expect(text).toContain('the names `s00` to `s31`');
    expect(text).toContain('Reserved: kube-*, default, cert-manager,');
  });

  it('is there for every key', () => {
    const silent = Object.entries(fields).filter(([, { description }]) => typeof description !== 'string');
    expect(silent).toEqual([]);
  });
});
