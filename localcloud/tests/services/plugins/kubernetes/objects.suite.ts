import { Secret, isUnknown, reveal, unknown } from '../../../../plugins/protocol';
import type { Properties, Value } from '../../../../plugins/protocol';
import { Connection } from '../../../../plugins/kubernetes/client/connection';
import { isKnownNamespaced, kindOf } from '../../../../plugins/kubernetes/client/kinds';
import { objectsAt, textAt } from '../../../../plugins/kubernetes/json';
import type { Plugin } from './support/plugin';
import { detailsOf, failureFrom, urn } from './support/plugin';
import type { PluginCluster } from './support/pluginCluster';

const namespaceType = 'kubernetes:core/v1:Namespace';
const accountType = 'kubernetes:core/v1:ServiceAccount';
const secretType = 'kubernetes:core/v1:Secret';
const mapType = 'kubernetes:core/v1:ConfigMap';

/** The value at a path, without secret marks. */
function at(value: Value | undefined, ...path: string[]): unknown {
  let current: unknown = reveal(value ?? null);
  for (const key of path) current = (current as Record<string, unknown> | undefined)?.[key];
  return current;
}

/** Objects in the namespace `default`, which is the plugin's default. */
export function objectsSuite(cluster: PluginCluster): void {
  let plugin: Plugin;
  beforeAll(async () => {
    plugin = await cluster.plugin('default');
  });
  afterAll(() => plugin.stop());

  describe('a namespace', () => {
    it('is named, previewed, created, refreshed without drift, and deleted', async () => {
      const resource = urn(namespaceType, 'orders');

      const preview = await plugin.create(resource, {}, { preview: true });
      const created = await plugin.create(resource, {});

      expect(created.id).toMatch(/^orders-[0-9a-f]{8}$/);
      expect(at(preview.state['metadata'], 'name')).toBe(created.id);
      expect(isUnknown(at(preview.state['metadata'], 'uid') as Value)).toBe(true);
      expect(at(created.state['metadata'], 'annotations', 'pulumi.com/autonamed')).toBe('true');
      expect(at(created.state['status'], 'phase')).toBe('Active');

      const refreshed = await plugin.read(resource, created.id, created.state, created.inputs);
      expect(refreshed?.inputs).toEqual(created.inputs);
      const again = await plugin.check(resource, {}, created.inputs);
      expect(detailsOf(await plugin.diff(resource, created, again))).toEqual({});

      await plugin.delete(resource, created);
      expect(await plugin.read(resource, created.id, created.state, created.inputs)).toBeUndefined();
      await plugin.delete(resource, created);
    });
  });

  describe('the table of cluster-scoped kinds', () => {
    it('says the same as the API server', async () => {
      const connection = await Connection.open(cluster.kubeconfig, {}, 30);
      const groups = objectsAt(await connection.request({ method: 'GET', path: '/apis' }), 'groups');
      const served = groups.flatMap((group) =>
        objectsAt(group, 'versions').map((v) => textAt(v, 'groupVersion') ?? ''),
      );
      const differing: string[] = [];
      let kinds = 0;
      for (const apiVersion of ['v1', ...served]) {
        const path = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
        for (const resource of objectsAt(await connection.request({ method: 'GET', path }), 'resources')) {
          const name = textAt(resource, 'kind') ?? '';
          const known = isKnownNamespaced(kindOf(apiVersion, name));
          // Reviews and similar kinds can only be posted, so no program manages them.
          const verbs = resource['verbs'];
          const isObject =
            Array.isArray(verbs) && verbs.includes('patch') && !textAt(resource, 'name')?.includes('/');
          if (!isObject) continue;
          kinds++;
          if (known !== undefined && known !== resource['namespaced'])
            differing.push(`${apiVersion}/${name}`);
        }
      }

      expect(differing).toEqual([]);
      expect(kinds).toBeGreaterThan(40);
    });
  });

  describe('an existing object', () => {
    it('is refused, with the hints, unless this resource created it', async () => {
      const resource = urn(mapType, 'mine');
      const inputs = { metadata: { name: 'mine' }, data: { a: '1' } };
      await plugin.create(resource, inputs);

      const foreign = await failureFrom(plugin.create(urn(mapType, 'other'), inputs));
      const interrupted = await plugin.create(resource, inputs);

      expect(foreign.message).toContain("v1/ConfigMap 'default/mine' already exists");
      expect(foreign.message).toContain("import: 'default/mine'");
      expect(interrupted.id).toBe('default/mine');
    });

    it('is taken over if it was created with only a name, which records no field manager', async () => {
      const resource = urn(accountType, 'bare');
      const inputs = { metadata: { name: 'bare' } };
      await plugin.create(resource, inputs);

      const interrupted = await plugin.create(resource, inputs);
      const more = { metadata: { name: 'bare', annotations: { a: '1' } } };
      const foreign = await failureFrom(plugin.create(urn(accountType, 'other'), more));

      expect(interrupted.id).toBe('default/bare');
      expect(foreign.message).toContain("v1/ServiceAccount 'default/bare' already exists");
    });
  });

  describe('inputs that the API server does not accept', () => {
    it.each([
      ['an unknown field', { data: { a: '1' }, dta: {} }, 'unknown field|not declared in schema'],
      ['a bad name', { metadata: { name: 'Not_Allowed' } }, 'metadata.name: Invalid value'],
    ])('%s is refused in the preview, by name', async (_title, members: Properties, message) => {
      const failure = await failureFrom(
        plugin.create(urn(mapType, 'bad'), { metadata: { name: 'bad' }, ...members }, { preview: true }),
      );

      expect(failure.message).toMatch(new RegExp(message));
      expect(failure.message).toContain('v1/ConfigMap');
      expect(failure.partial).toBeUndefined();
    });

    it('an apiVersion other than the type says is a check failure', async () => {
      const { failures } = await plugin.tryCheck(urn(mapType, 'bad'), { apiVersion: 'apps/v1' });

      expect(failures['apiVersion']).toContain('v1/ConfigMap');
    });
  });

  describe('a service account', () => {
    it('is updated in place, its fields removed again, and drift on it found and repaired', async () => {
      const resource = urn(accountType, 'reader');
      const annotated = (annotations: Properties): Properties => ({
        metadata: { name: 'reader', annotations },
      });
      const created = await plugin.create(resource, annotated({ a: '1', b: '2' }));

      const changed = await plugin.check(resource, annotated({ a: '9' }), created.inputs);
      const diff = await plugin.diff(resource, created, changed);
      expect(diff.getReplacesList()).toEqual([]);
      expect(Object.keys(detailsOf(diff)).sort()).toEqual([
        'metadata.annotations.a',
        'metadata.annotations.b',
      ]);
      const updated = await plugin.update(resource, created, annotated({ a: '9' }));
      expect(at(updated.state['metadata'], 'annotations')).toEqual({ a: '9' });

      // Another field manager takes over the annotation, as `kubectl annotate --overwrite` would.
      const intruder = urn(accountType, 'intruder');
      const force = { 'pulumi.com/patchForce': 'true', a: 'changed' };
      await plugin.update(intruder, { ...updated, state: {}, inputs: {} }, annotated(force));
      const refreshed = await plugin.read(resource, updated.id, updated.state, updated.inputs);
      expect(at(refreshed?.inputs['metadata'], 'annotations', 'a')).toBe('changed');

      const conflict = await failureFrom(
        plugin.update(resource, refreshed ?? updated, annotated({ a: '9' })),
      );
      expect(conflict.message).toContain('pulumi.com/patchForce');
      const repaired = await plugin.update(
        resource,
        refreshed ?? updated,
        annotated({ a: '9', 'pulumi.com/patchForce': 'true' }),
      );
      expect(at(repaired.state['metadata'], 'annotations', 'a')).toBe('9');
    });

    it('is forced by the setting of the provider, whatever its annotation says', async () => {
      const account = (annotations: Record<string, string>): Properties => ({
        metadata: { name: 'forced', annotations },
      });
      const created = await plugin.create(urn(accountType, 'forced'), account({ a: '1' }));
      const forcing = await cluster.plugin('default');
      await forcing.configure({ kubeconfig: new Secret(cluster.kubeconfig), enablePatchForce: true });
      try {
        const intruder = { ...created, state: {}, inputs: {} };
        const taken = account({ a: '2', 'pulumi.com/patchForce': 'false' });
        const { state } = await forcing.update(urn(accountType, 'forcing'), intruder, taken);
        expect(at(state['metadata'], 'annotations', 'a')).toBe('2');
      } finally {
        await forcing.stop();
      }
    });

    it('must be replaced, old one first, when its namespace changes but not its name', async () => {
      const resource = urn(accountType, 'moving');
      const created = await plugin.create(resource, { metadata: { name: 'moving' } });

      const moved = await plugin.check(
        resource,
        { metadata: { name: 'moving', namespace: 'kube-public' } },
        created.inputs,
      );
      const diff = await plugin.diff(resource, created, moved);

      expect(diff.getReplacesList()).toEqual(['metadata.namespace']);
      expect(diff.getDeletebeforereplace()).toBe(false);
    });

    it('is imported by namespace and name, without what the server added', async () => {
      const imported = await plugin.read(urn(accountType, 'default'), 'kube-system/default');

      expect(imported?.inputs).toEqual({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: 'kube-system' },
      });
    });
  });

  describe('a secret', () => {
    it('keeps its values secret in inputs and state, and is replaced when they change', async () => {
      const resource = urn(secretType, 'credentials');
      const inputs = (password: string): Properties => ({ stringData: { password }, type: 'Opaque' });

      const created = await plugin.create(resource, inputs('hunter22'));

      expect(created.inputs['stringData']).toBeUndefined();
      expect(created.state['data']).toEqual(
        new Secret({ password: Buffer.from('hunter22').toString('base64') }),
      );
      expect(at(created.state['__inputs'], 'data', 'password')).toBe(
        Buffer.from('hunter22').toString('base64'),
      );
      const same = await plugin.check(resource, inputs('hunter22'), created.inputs);
      expect((await plugin.diff(resource, created, same)).getDiffsList()).toEqual([]);

      const changed = await plugin.check(resource, inputs('correct horse'), created.inputs);
      const diff = await plugin.diff(resource, created, changed);
      expect(diff.getReplacesList()).toEqual(['data']);
      expect(diff.getDeletebeforereplace()).toBe(false);
    });
  });

  describe('a preview', () => {
    it('passes unknowns through', async () => {
      const preview = await plugin.create(
        urn(accountType, 'later'),
        { metadata: { name: 'later', annotations: { id: unknown } } },
        { preview: true },
      );

      expect(isUnknown(at(preview.state['metadata'], 'annotations', 'id') as Value)).toBe(true);
    });

    it('accepts a namespace that the same update creates', async () => {
      const preview = await plugin.create(
        urn(accountType, 'later'),
        { metadata: { name: 'later', namespace: 'not-yet' } },
        { preview: true },
      );

      expect(at(preview.state['metadata'], 'namespace')).toBe('not-yet');
    });

    it('of an update has the server’s result, and changes nothing', async () => {
      const resource = urn(mapType, 'previewed');
      const created = await plugin.create(resource, { metadata: { name: 'previewed' }, data: { a: '1' } });

      const preview = await plugin.update(
        resource,
        created,
        { metadata: { name: 'previewed', labels: { x: 'y' } }, data: { a: '1' } },
        { preview: true },
      );

      expect(at(preview.state['metadata'], 'labels', 'x')).toBe('y');
      const live = await plugin.read(resource, created.id, created.state, created.inputs);
      expect(at(live?.state['metadata'], 'labels')).toBeUndefined();
    });
  });

  describe('a custom resource', () => {
    const definitionType = 'kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition';
    const definition = (plural: string, kind: string, scope: string): Properties => ({
      metadata: { name: `${plural}.test.local` },
      spec: {
        group: 'test.local',
        scope,
        names: { plural, kind },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    x_kubernetes_preserve_unknown_fields: true,
                    properties: { size: { type: 'integer' } },
                  },
                },
              },
            },
          },
        ],
      },
    });

    it('can be created right after its definition, is validated by it, and is deleted with it', async () => {
      const widget = urn('kubernetes:test.local/v1:Widget', 'one');
      const crd = await plugin.create(
        urn(definitionType, 'widgets'),
        definition('widgets', 'Widget', 'Namespaced'),
      );
      const created = await plugin.create(widget, {
        metadata: { name: 'one' },
        spec: { size: 3, other: 'kept' },
      });

      expect(created.id).toBe('default/one');
      expect(created.state['spec']).toEqual({ size: 3, other: 'kept' });
      const failure = await failureFrom(
        plugin.update(widget, created, { metadata: { name: 'one' }, spec: { size: 'large' } }),
      );
      expect(failure.message).toContain('spec.size');
      const refreshedCrd = await plugin.read(urn(definitionType, 'widgets'), crd.id, crd.state, crd.inputs);
      expect(refreshedCrd?.inputs).toEqual(crd.inputs);

      await plugin.delete(urn(definitionType, 'widgets'), crd);
      await plugin.delete(widget, created);
      expect(await plugin.read(widget, created.id, created.state, created.inputs)).toBeUndefined();
    });

    it('that is cluster-scoped does not differ in the next update', async () => {
      const zone = urn('kubernetes:test.local/v1:Zone', 'north');
      const inputs = { metadata: { name: 'north' }, spec: { size: 1 } };
      const blind = await plugin.check(zone, inputs);
      expect(at(blind['metadata'], 'namespace')).toBe('default');

      await plugin.create(urn(definitionType, 'zones'), definition('zones', 'Zone', 'Cluster'));
      const created = { ...(await plugin.create(zone, inputs)), inputs: blind };

      expect(created.id).toBe('north');
      const next = await plugin.check(zone, inputs, blind);
      expect(
        (
          await plugin.diff(zone, { ...created, state: { ...created.state, __inputs: blind } }, next)
        ).getDiffsList(),
      ).toEqual([]);
    });

    it('of an undefined kind fails with the hint', async () => {
      const failure = await failureFrom(
        plugin.create(
          urn('kubernetes:nobody.local/v1:Ghost', 'boo'),
          { metadata: { name: 'boo' } },
          { timeoutSeconds: 1 },
        ),
      );

      expect(failure.message).toContain('nobody.local/v1/Ghost');
      expect(failure.message).toContain('CustomResourceDefinition');
    });

    it('is awaited by its annotation, and is recorded after a cancellation', async () => {
      const patient = await cluster.plugin('default');
      const waiting = patient.create(urn(mapType, 'waiting'), {
        metadata: { name: 'waiting', annotations: { 'pulumi.com/waitFor': 'jsonpath={.data.done}=yes' } },
      });
      while ((await plugin.read(urn(mapType, 'waiting'), 'default/waiting')) === undefined);
      await patient.cancel();

      const failure = await failureFrom(waiting);
      await patient.stop();

      expect(failure.partial?.id).toBe('default/waiting');
      expect(failure.partial?.reasons.join()).toContain('cancelled');
      expect(at(failure.partial?.state['metadata'], 'uid')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
}
