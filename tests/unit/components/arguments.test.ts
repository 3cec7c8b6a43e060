import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../../../components/azure/arguments';
import * as exported from '../../../components/index';
import schema from '../../../components/schema.json';
import type { Arguments } from './support/accepted';
import { accepted } from './support/accepted';
import { ids } from './support/azure';
import { refusal, refused } from './support/refusal';

// Arguments as a program without a type checker gives them. Not proven: how the engine shows errors to another language.
interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly plain?: boolean;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}
interface Place {
  readonly keys: readonly (string | number)[];
  readonly schema: Schema;
  readonly required: boolean;
}
type Properties = Readonly<Record<string, Schema>>;

const components = schema.resources as unknown as Record<
  string,
  { inputProperties: Properties; requiredInputs?: string[] }
>;
const words = new Set(
  Object.entries(schema.types).flatMap(([token, type]) => ('enum' in type ? [`#/types/${token}`] : [])),
);
const types = schema.types as unknown as Record<string, { properties?: Properties; required?: string[] }>;

/** The places of all values in arguments. */
function placesIn(value: unknown, properties: Properties, required: readonly string[] = []): Place[] {
  return Object.entries(value as Arguments).flatMap(([key, inner]) => {
    const place = { keys: [key], schema: properties[key] ?? {}, required: required.includes(key) };
    return [
      place,
      ...within(inner, place.schema).map((nested) => ({ ...nested, keys: [key, ...nested.keys] })),
    ];
  });
}

function within(value: unknown, expected: Schema): Place[] {
  const type = types[expected.$ref?.slice('#/types/'.length) ?? ''];
  if (type?.properties !== undefined) return placesIn(value, type.properties, type.required);
  if (typeof value !== 'object' || value === null) return [];
  const inner = expected.items ?? expected.additionalProperties ?? {};
  return Object.entries(value).flatMap(([key, item]) => {
    const at = Array.isArray(value) ? Number(key) : key;
    const place = { keys: [at], schema: inner, required: false };
    return [place, ...within(item, inner).map((other) => ({ ...other, keys: [at, ...other.keys] }))];
  });
}

/** The arguments with another value at one place. */
function changed(value: unknown, [key, ...rest]: readonly (string | number)[], other: unknown): unknown {
  if (key === undefined) return other;
  const inner = changed((value as Arguments)[key], rest, other);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? inner : item));
  return { ...(value as Arguments), [key]: inner };
}

const named = Object.keys(accepted);

it('has arguments that are accepted for every component that is exported', () => {
  const isComponent = (value: unknown) =>
    typeof value === 'function' && value.prototype instanceof pulumi.ComponentResource;
  const all = Object.entries(exported).filter(([, value]) => isComponent(value));

  expect(all.map(([name]) => name).sort()).toEqual([...named].sort());
});

describe.each(named)('%s', (type) => {
  const { inputProperties, requiredInputs = [] } = components[`aks-workload-identity:index:${type}`] ?? {
    inputProperties: {},
  };
  const args = accepted[type] ?? {};
  const places = placesIn(args, inputProperties, requiredInputs);
  const pathOf = (keys: Place['keys']) => keys.join('.');

  it('accepts its arguments', async () => {
    expect(await refusal(type, args)).toBeUndefined();
  });

  it.each([[{}], [null], [undefined]])('names all that is missing from %p', async (values) => {
    if (type === 'CertManager') return;
    const problems = await refused(type, values);

    for (const required of requiredInputs)
      expect(problems).toContainEqual(
        expect.stringMatching(new RegExp(`^${type} x-name: ${required} is missing\\. Allowed: [\\w/]`)),
      );
  });

  it('names the place of a missing argument and of an unknown one', async () => {
    for (const { keys, schema: wanted, required } of places) {
      const isWord = words.has(wanted.$ref ?? '');
      for (const value of [...(required ? [null] : []), ...(isWord ? ['x'] : [])]) {
        const problems = await refused(type, changed(args, keys, value));
        expect({ at: pathOf(keys), problems }).toEqual({
          at: pathOf(keys),
          problems: [expect.stringContaining(String(keys.at(-1)))],
        });
      }
    }
  });

  it('refuses an output where a plain value is needed, and takes it anywhere else', async () => {
    for (const { keys, schema: wanted } of places) {
      const before = keys.reduce<unknown>((value, key) => (value as Arguments)[key], args);
      const late = changed(args, keys, pulumi.output(before));
      const found = wanted.plain === true ? await refused(type, late) : await refusal(type, late);
      expect({ at: pathOf(keys), found }).toEqual({
        at: pathOf(keys),
        found:
          wanted.plain === true
            ? [expect.stringMatching(/ is an output of another resource, but must be known before/)]
            : undefined,
      });
    }
  });
});

const problemsOf = async (type: string, args: unknown) =>
  (await refused(type, args)).map((problem) => problem.replace(/ Allowed: .*$/, ''));

describe('an error about arguments', () => {
  it('says all that is wrong with a component, each with its place and what is allowed', async () => {
    const create = { resourceGroupName: 'rg', vaultName: 'kv-x', retainOnDelete: pulumi.output(false) };
    const problems = await refused('KeyVault', { access: 'roles', create, existing: 'kv-x' });

    expect(problems.map((problem) => problem.replace(/ Allowed: .*$/, ''))).toEqual([
      'KeyVault x-name: access "roles" is not possible.',
      'KeyVault x-name: create.retainOnDelete is an output of another resource, but must be known before resources are created.',
      'KeyVault x-name: create.tenantId is missing.',
      'KeyVault x-name: args cannot have both create and existing.',
    ]);
    expect(problems[0]).toMatch(/ Allowed: rbac, accessPolicy\.$/);
  });

  it('is about alternatives of which none is set', async () => {
    expect(await refused('AzureDependency', { ...accepted.AzureDependency, service: {} })).toEqual([
      expect.stringContaining('AzureDependency x-name: service is missing. Allowed: exactly one of storage'),
    ]);
  });

  it('covers combinations of values, such as a lock without effect', async () => {
    const { create: _create, ...others } = accepted.KeyVault ?? {};
    expect(await problemsOf('KeyVault', { ...others, existing: 'kv-x', lock: true })).toEqual([
      'KeyVault x-name: lock true cannot be set on an existing vault, which is never changed.',
    ]);
  });

  const subscription = `/subscriptions/${ids.subscription}`;
  it.each<[string, string, Arguments, string]>([
    [
      'a pipeline',
      'PipelineIdentity',
      { resourceGroups: [{ name: 'rg', id: subscription }] },
      'resourceGroups[0].id',
    ],
    ['the nodes', 'PodIdentity', { identities: { a: subscription } }, 'identities["a"]'],
    ...['resourceGroupId', 'subnet', 'networkSecurityGroupId', 'dnsZoneId'].map(
      (scope): [string, string, Arguments, string] => [
        `a hosted cluster: ${scope}`,
        'HostedClusterIdentities',
        { scopes: { ...(accepted.HostedClusterIdentities?.scopes as Arguments), [scope]: subscription } },
        `scopes.${scope}`,
      ],
    ),
  ])('is about a scope that would reach further: of %s', async (_, type, changes, argument) => {
    expect(await problemsOf(type, { ...accepted[type], ...changes })).toContainEqual(
      expect.stringContaining(`${type} x-name: ${argument} "${subscription}" is not the id of a `),
    );
  });
});

describe('arguments that are accepted', () => {
  it('may be read through accessors, have tags without a value, and values that are null', () => {
    class Identity {
      get clientId() {
        return ids.subscription;
      }
      get tenantId() {
        return ids.tenant;
      }
    }
    const { identity } = checkedArguments('Workload', 'x', {
      ...accepted.Workload,
      identity: new Identity(),
    });
    expect(identity).toMatchObject({ clientId: ids.subscription, tenantId: ids.tenant });

    const create = { resourceGroupName: 'rg-münchen', tags: { owner: undefined, team: 'a' } };
    expect(checkedArguments('ManagedIdentity', 'id-x', { create }).create).toMatchObject({
      resourceGroupName: 'rg-münchen',
      tags: { team: 'a' },
    });
  });
});
