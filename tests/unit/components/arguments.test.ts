import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../../../components/azure/arguments';
import * as exported from '../../../components/index';
import schema from '../../../components/schema.json';
import type { Arguments } from './support/accepted';
import { accepted } from './support/accepted';
import { guidOf, ids } from './support/azure';
import { record } from './support/recorder';
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
const types = schema.types as unknown as Record<string, { properties?: Properties; required?: string[] }>;

/** The places of all values in arguments. */
function placesIn(value: unknown, properties: Properties, required: readonly string[] = []): Place[] {
  return Object.entries(value as Arguments).flatMap(([key, inner]) => {
    const place = { keys: [key], schema: properties[key] ?? {}, required: required.includes(key) };
    return [place, ...within(inner, place.schema).map((one) => ({ ...one, keys: [key, ...one.keys] }))];
  });
}

function within(value: unknown, given: Schema): Place[] {
  const type = types[given.$ref?.slice('#/types/'.length) ?? ''];
  if (type?.properties !== undefined) return placesIn(value, type.properties, type.required);
  if (typeof value !== 'object' || value === null) return [];
  const inner = given.items ?? given.additionalProperties ?? {};
  return Object.entries(value).flatMap(([key, one]) => {
    const at = Array.isArray(value) ? Number(key) : key;
    const place = { keys: [at], schema: inner, required: true };
    return [place, ...within(one, inner).map((other) => ({ ...other, keys: [at, ...other.keys] }))];
  });
}

/** The arguments with another value at one place. */
function changed(value: unknown, [key, ...rest]: readonly (string | number)[], other: unknown): unknown {
  if (key === undefined) return other;
  const inner = changed((value as Arguments)[key], rest, other);
  if (Array.isArray(value)) return value.map((one: unknown, index) => (index === key ? inner : one));
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

  it.each([[{}], [null], [undefined]])('names all that is missing from %p', async (given) => {
    if (type === 'CertManager') return;
    const problems = await refused(type, given);

    for (const required of requiredInputs)
      expect(problems).toContainEqual(
        expect.stringMatching(new RegExp(`^${type} x-name: ${required} is missing\\. Allowed: [\\w/]`)),
      );
  });

  it('names the place of what is missing or has a wrong type, and only that', async () => {
    for (const { keys, schema: wanted, required } of places) {
      const wrong = [
        ...(required ? [null] : []),
        ...(wanted.$ref === 'pulumi.json#/Any' ? [] : [Symbol.for('wrong'), true, 5, 'x', [], {}]),
      ];
      const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);
      const before = keys.reduce<unknown>((value, key) => (value as Arguments)[key], args);
      for (const value of wrong.filter((one) => one === null || kindOf(one) !== kindOf(before))) {
        const problems = await refused(type, changed(args, keys, value));
        const last = keys.at(-1);
        expect({ at: pathOf(keys), problems }).toEqual({
          at: pathOf(keys),
          problems: [expect.stringContaining(typeof last === 'number' ? `[${last}]` : String(last))],
        });
      }
    }
  });

  it('refuses an empty text, and what is twice in a list', async () => {
    const isText = (value: unknown) => typeof value === 'string';
    const valueOf = ({ keys }: Place) =>
      keys.reduce<unknown>((value, key) => (value as Arguments)[key], args);
    // What an object of texts holds may be empty.
    const texts = places.filter(
      (one) =>
        isText(valueOf(one)) &&
        !/\b(env|secrets|keptSecrets|tags|secretTags|podLabels)\.\w+$/i.test(pathOf(one.keys)),
    );
    for (const { keys } of texts) {
      expect(await refused(type, changed(args, keys, ''))).toContainEqual(
        expect.stringContaining(String(keys.findLast(isText))),
      );
    }
    for (const place of places.filter((one) => Array.isArray(valueOf(one)))) {
      const [entry] = valueOf(place) as unknown[];
      const twice = changed(args, place.keys, [entry, entry]);
      // The values of a dependency are made by another component.
      if (place.keys.at(-1) !== 'values')
        expect(await refused(type, twice)).toContainEqual(
          expect.stringMatching(/\[1\].* (already|again)\. /),
        );
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
            ? [expect.stringMatching(/ is an output of another resource, and has to be known before/)]
            : undefined,
      });
    }
  });
});

/** The value of an output. */
function settled(found: pulumi.Output<unknown>): Promise<unknown> {
  const output = found as unknown as Record<'isKnown' | 'isSecret', Promise<unknown>> &
    Record<'promise' | 'allResources', () => Promise<unknown>>;
  // Each of an output's promises is rejected, and the process ends for one that nobody looks at.
  void Promise.allSettled([output.isKnown, output.isSecret, output.allResources()]);
  return output.promise();
}

describe('an error about arguments', () => {
  it('says all that is wrong with a component, each with its place, the value and what is allowed', async () => {
    const grants = ['a/b', 'c/d'].map((grantee) => ({
      grantee,
      principalId: `no ${grantee}`,
      secrets: ['a_b'],
    }));
    const create = { resourceGroupName: 'rg.', vaultName: 'kv', tenantId: 'tenant', publicAccess: false };
    const firewall = { allowedIpRanges: ['10.0.0.0/33'], allowedSubnets: ['apps'], trustedServices: true };
    const args = {
      ...{ access: 'roles', create: { ...create, firewall, retainOnDelete: pulumi.output(false) } },
      ...{ existing: 'kv-x', grants, importedAssignments: { a: 'b' } },
    };

    const problems = await refused('KeyVault', args);

    expect(problems.map((one) => one.replace(/ Allowed: .*$/, ''))).toEqual([
      'KeyVault x-name: access "roles" is not possible.',
      'KeyVault x-name: create.firewall.allowedIpRanges[0] "10.0.0.0/33" is not a range of addresses.',
      'KeyVault x-name: create.firewall.allowedSubnets[0] "apps" is not the id of a subnet.',
      'KeyVault x-name: create.resourceGroupName "rg." is not a valid name.',
      'KeyVault x-name: create.retainOnDelete is an output of another resource, and has to be known before resources are made.',
      'KeyVault x-name: create.tenantId "tenant" is not a GUID.',
      'KeyVault x-name: create.vaultName "kv" is not a valid name.',
      'KeyVault x-name: existing "kv-x" is not the id of a resource of type Microsoft.KeyVault/vaults.',
      ...['a/b', 'c/d'].flatMap((grantee, index) => [
        `KeyVault x-name: grants[${index}].grantee "${grantee}" cannot be the name of a grant.`,
        `KeyVault x-name: grants[${index}].principalId "no ${grantee}" is not a GUID.`,
        `KeyVault x-name: grants[${index}].secrets[0] "a_b" is not a valid name.`,
      ]),
      'KeyVault x-name: importedAssignments["a"] "b" is not a GUID.',
      'KeyVault x-name: args cannot have both create and existing.',
    ]);
    expect(problems[0]).toMatch(/ Allowed: rbac, accessPolicy\.$/);
  });

  it('has what values are together as well', async () => {
    const args = {
      ...accepted.KeyVault,
      create: { ...(accepted.KeyVault?.create as Arguments), vaultName: 'kv' },
      ...{ secrets: { key: 'one' }, keptSecrets: { key: 'other' } },
      grants: [1, 2].map(() => ({ grantee: 'a', principalId: guidOf('principal'), secrets: [] })),
    };

    expect((await refused('KeyVault', args)).map((one) => one.replace(/ Allowed: .*$/, ''))).toEqual([
      'KeyVault x-name: create.vaultName "kv" is not a valid name.',
      'KeyVault x-name: grants[1].grantee "a" is that of grants[0] already.',
      'KeyVault x-name: keptSecrets.key is among `secrets` already.',
    ]);
  });

  it.each<[string, string, Arguments, string]>([
    ['an issuer', 'FederatedCredentials', { issuer: 'http://issuer' }, 'issuer "http://issuer" is not'],
    ['a namespace', 'Workload', { namespace: 'Orders' }, 'namespace "Orders" is not a valid name'],
    [
      'a retention',
      'LogWorkspace',
      { create: { resourceGroupName: 'rg', retentionInDays: 29 } },
      'create.retentionInDays 29',
    ],
    ['an external cluster', 'WorkloadIdentityCluster', { create: null, external: {} }, 'external.issuer is'],
    ['a kubeconfig', 'WorkloadIdentityCluster', { create: null, external: {} }, 'external.kubeconfig is'],
    ['a service', 'AzureDependency', { service: {} }, 'service is missing. Allowed: exactly one of storage'],
  ])('is about %s', async (_, type, changes, message) => {
    const args = { ...accepted[type], ...changes };
    expect(await refused(type, args)).toContainEqual(expect.stringContaining(`${type} x-name: ${message}`));
  });

  it('is about the name of the component where that is the default', async () => {
    const made = () => new exported.ManagedIdentity('a.b', { create: { resourceGroupName: 'rg' } });

    await expect(record(made)).rejects.toThrow('ManagedIdentity a.b: create.identityName "a.b" is not');
  });

  it('never shows a secret', async () => {
    const args = { ...accepted.KeyVault, secrets: { db: 4711 } };

    expect(await refused('KeyVault', args)).toEqual([
      'KeyVault x-name: secrets["db"] has a wrong type. Allowed: a text.',
    ]);
  });

  it('comes later about an output, before anything has the value', async () => {
    const late = (value: unknown) => {
      const { principalId: found } = checkedArguments('AzureDependency', 'x', {
        ...accepted.AzureDependency,
        identity: { identityName: 'id-orders', principalId: pulumi.output(value), tenantId: ids.tenant },
      }).identity as { principalId: pulumi.Output<unknown> };
      return settled(found);
    };

    await expect(late(ids.tenant)).resolves.toBe(ids.tenant);
    await expect(late('nobody')).rejects.toThrow(
      'AzureDependency x: identity.principalId "nobody" is not a GUID. Allowed: a GUID, such as',
    );
    await expect(late(undefined)).rejects.toThrow('AzureDependency x: identity.principalId is missing.');
    await expect(late(pulumi.secret('nobody'))).rejects.toThrow(
      'AzureDependency x: identity.principalId is not a GUID. Allowed: a GUID, such as',
    );
  });

  it('comes later about the one alternative that is given, if it has no value then', async () => {
    const { existing } = checkedArguments('ManagedIdentity', 'x', { existing: pulumi.output(undefined) });

    await expect(settled(existing)).rejects.toThrow('ManagedIdentity x: existing is missing.');
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
