import { Secret, isUnknown, unknown } from '../../../../plugins/protocol';
import type { Properties, Value } from '../../../../plugins/protocol';
import { kindOf } from '../../../../plugins/kubernetes/client/kinds';
import type { JsonObject } from '../../../../plugins/kubernetes/json';
import { fromJsonObject, toJsonObject } from '../../../../plugins/kubernetes/json';
import { generatedName } from '../../../../plugins/kubernetes/naming';
import { checkObject } from '../../../../plugins/kubernetes/objects/check';
import { diffObject } from '../../../../plugins/kubernetes/objects/diff';
import { driftedInputs, importedInputs } from '../../../../plugins/kubernetes/objects/drift';
import { normalize } from '../../../../plugins/kubernetes/objects/normalize';
import { blindPreview } from '../../../../plugins/kubernetes/objects/preview';
import { stateOf } from '../../../../plugins/kubernetes/objects/state';
import { changesBetween } from '../../../../plugins/kubernetes/paths';

const secretKind = kindOf('v1', 'Secret');
const mapKind = kindOf('v1', 'ConfigMap');
const options = { name: 'orders', randomSeed: new Uint8Array([7]) };
const environment = { defaultNamespace: 'team', cluster: undefined };
const immutable = { enableSecretMutable: false, enableConfigMapMutable: false };

describe('a check', () => {
  it('fills in apiVersion, kind, a name and the namespace', async () => {
    const { inputs } = await checkObject(mapKind, {}, { data: { a: '1' } }, options, environment);

    expect(inputs).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: generatedName(options),
        annotations: { 'pulumi.com/autonamed': 'true' },
        namespace: 'team',
      },
      data: { a: '1' },
    });
  });

  it('keeps a generated name, also under another seed', async () => {
    const first = await checkObject(mapKind, {}, {}, options, environment);
    const other = { ...options, randomSeed: new Uint8Array([8]) };
    const second = await checkObject(mapKind, first.inputs, {}, other, environment);

    expect(second.inputs).toEqual(first.inputs);
    expect(generatedName(other)).not.toBe(generatedName(options));
  });

  it('generates a name if the program no longer sets one', async () => {
    const olds = { metadata: { name: 'explicit' } };
    const { inputs } = await checkObject(mapKind, olds, {}, options, environment);

    expect(inputs['metadata']).toMatchObject({ name: generatedName(options) });
  });

  it.each([
    ['a name that is known later', { name: unknown }],
    ['annotations that are known later', { name: 'n', annotations: unknown }],
  ])('leaves %s alone', async (_title, metadata: Properties) => {
    const { inputs } = await checkObject(mapKind, {}, { metadata }, options, environment);

    expect(inputs['metadata']).toEqual({ ...metadata, namespace: 'team' });
  });

  it('sets no namespace for cluster-scoped kinds, and requires a name instead of generateName', async () => {
    const role = kindOf('rbac.authorization.k8s.io/v1', 'ClusterRole');
    const { inputs, failures } = await checkObject(
      role,
      {},
      { metadata: { generateName: 'x-' } },
      options,
      environment,
    );

    expect(inputs['metadata']).not.toHaveProperty('namespace');
    expect(failures.map((failure) => failure.property)).toEqual(['metadata.generateName']);
  });
});

describe('normalized inputs', () => {
  it('hold stringData as data, which it overrides', () => {
    const inputs = { data: { a: 'YQ', b: 'Yg==' }, stringData: { b: 'new', c: unknown } };

    expect(normalize(secretKind, inputs)).toEqual({
      data: new Secret({ a: 'YQ==', b: Buffer.from('new').toString('base64'), c: unknown }),
    });
  });

  it('of a secret that is not known yet stay unknown', () => {
    expect(normalize(secretKind, { stringData: new Secret(unknown) })).toEqual({ data: new Secret(unknown) });
  });

  it('of a definition have the spelling of the SDK', () => {
    const crd = kindOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    const spec = { a: [{ 'x-kubernetes-preserve-unknown-fields': true }] };

    const normalized = normalize(crd, { spec });

    expect(normalized).toEqual({ spec: { a: [{ x_kubernetes_preserve_unknown_fields: true }] } });
    expect(toJsonObject(normalized)).toEqual({ spec });
    expect(fromJsonObject(toJsonObject(normalized))).toEqual(normalized);
  });
});

describe('changes', () => {
  it.each<[string, Value, Value, object]>([
    ['nothing', { a: [1, { b: null }] }, { a: [1, {}] }, {}],
    ['secrecy alone', { a: new Secret('x') }, { a: 'x' }, {}],
    ['a key with a slash', {}, { a: { 'b/c': 1 } }, { a: 'add' }],
    ['a nested key with a slash', { a: {} }, { a: { 'b/c': 1 } }, { 'a["b/c"]': 'add' }],
    ['an item', { a: [{ n: 1 }] }, { a: [{ n: 2 }, 3] }, { 'a[0].n': 'update', 'a[1]': 'add' }],
    ['an unknown', { a: 1 }, { a: unknown }, { a: 'update' }],
    ['a removal', { a: 1 }, {}, { a: 'delete' }],
  ])('show %s', (_title, before, after, expected) => {
    expect(changesBetween(before, after)).toEqual(expected);
  });
});

describe('a diff', () => {
  const metadata = { name: 'n', namespace: 'd' };
  const recorded = (inputs: Properties): Properties =>
    stateOf({ ...toJsonObject(inputs), metadata: { ...metadata, uid: 'u' } }, inputs, 'm');

  it('replaces a config map whose data change, old one first because of its name', () => {
    const olds = { kind: 'ConfigMap', metadata, data: { a: '1' } };
    const diff = diffObject(mapKind, recorded(olds), olds, { ...olds, data: { a: '2' } }, [], immutable);

    expect(diff).toEqual({
      changes: true,
      replaces: ['data'],
      diffs: ['data'],
      detailed: { 'data.a': 'update-replace' },
      deleteBeforeReplace: true,
    });
  });

  it('updates it if the provider allows changes of config maps', () => {
    const olds = { kind: 'ConfigMap', metadata, data: { a: '1' } };
    const settings = { ...immutable, enableConfigMapMutable: true };
    const diff = diffObject(mapKind, recorded(olds), olds, { ...olds, data: { a: '2' } }, [], settings);

    expect(diff).toMatchObject({ changes: true, replaces: [], deleteBeforeReplace: false });
  });

  it('replaces for an unknown selector, and respects ignoreChanges', () => {
    const deployment = kindOf('apps/v1', 'Deployment');
    const olds = { metadata, spec: { replicas: 1, selector: { matchLabels: { a: 'b' } } } };
    const news = { metadata, spec: { replicas: 2, selector: unknown } };

    const diff = diffObject(deployment, recorded(olds), olds, news, ['spec.replicas'], immutable);

    expect(diff.replaces).toEqual(['spec.selector']);
    expect(diff.detailed).toEqual({ 'spec.selector': 'update-replace' });
  });

  it('creates the replacement first if the name is generated', () => {
    const autonamed = { ...metadata, annotations: { 'pulumi.com/autonamed': 'true' } };
    const olds = { metadata: autonamed, data: new Secret({ a: 'MQ==' }), type: 'Opaque' };
    const diff = diffObject(secretKind, recorded(olds), olds, { ...olds, type: 'other' }, [], immutable);

    expect(diff).toMatchObject({ replaces: ['type'], deleteBeforeReplace: false });
  });
});

describe('drift', () => {
  const inputs = { spec: { cpu: '0.05', env: [{ name: 'A', value: '1' }], args: ['x'] } };
  const before = {
    spec: { cpu: '50m', env: [{ name: 'A', value: '1' }], args: ['x'], added: true },
    status: {},
  };

  it('does not include the server’s changes of inputs, nor other fields', () => {
    const now = { ...before, spec: { ...before.spec, added: false, more: 1 }, status: { phase: 'x' } };

    expect(driftedInputs(inputs, before, now)).toEqual(inputs);
  });

  it('is a value changed, an item of a keyed list changed or removed, and a list without keys extended', () => {
    const changed: JsonObject = {
      spec: { cpu: '80m', env: [{ name: 'B' }, { name: 'A', value: '2' }], args: ['x', 'y'] },
    };
    const removed = { spec: { ...before.spec, env: [{ name: 'B' }] } };

    expect(driftedInputs(inputs, before, changed)).toEqual({
      spec: { cpu: '80m', env: [{ name: 'A', value: '2' }], args: ['x', 'y'] },
    });
    expect(driftedInputs(inputs, before, removed)).toEqual({ spec: { ...inputs.spec, env: [] } });
  });

  it('is a field that somebody removed', () => {
    expect(driftedInputs(inputs, before, { spec: { env: before.spec.env, args: ['x'] } })).toEqual({
      spec: { env: inputs.spec.env, args: ['x'] },
    });
  });

  it('is irrelevant to an import: everything is an input except the server’s additions', () => {
    const live = {
      kind: 'ConfigMap',
      metadata: {
        name: 'n',
        uid: 'u',
        resourceVersion: '1',
        managedFields: [],
        annotations: { 'deployment.kubernetes.io/revision': '1' },
      },
      status: {},
    };

    expect(importedInputs(live)).toEqual({ kind: 'ConfigMap', metadata: { name: 'n' } });
  });
});

describe('a preview without a server', () => {
  it('shows what an existing object keeps, and nothing that the server assigns to a new one', () => {
    const inputs = { kind: 'Service', metadata: { name: 'n' }, spec: { ports: [] } };
    const oldState = { metadata: { uid: 'u' }, spec: { clusterIP: '10.0.0.1' } };

    const created = blindPreview(inputs, {});
    const updated = blindPreview(inputs, oldState);

    expect(created['metadata']).toMatchObject({ name: 'n', uid: unknown });
    expect(created['spec']).toMatchObject({ clusterIP: unknown });
    expect(updated['metadata']).toMatchObject({ uid: 'u', resourceVersion: unknown });
    expect(updated['spec']).toMatchObject({ clusterIP: '10.0.0.1' });
    expect(isUnknown(updated['status'])).toBe(false);
  });
});

describe('a state', () => {
  it('marks secret inputs, and the whole content of a Secret', () => {
    const live = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'n' }, data: { a: 'MQ==' } };
    const deployment = { kind: 'Deployment', spec: { env: [{ name: 'A', value: 'x' }] } };
    const inputs = { spec: { env: [{ name: 'A', value: new Secret('x') }] } };

    expect(stateOf(live, {}, 'm')['data']).toEqual(new Secret({ a: 'MQ==' }));
    expect(stateOf(deployment, inputs, 'm')['spec']).toEqual(inputs.spec);
  });
});
