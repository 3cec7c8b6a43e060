import { Connection } from '../../../../plugins/kubernetes/client/connection';
import type { JsonObject } from '../../../../plugins/kubernetes/json';
import { at, objectsAt, stringsAt, textAt } from '../../../../plugins/kubernetes/json';
import type { Properties } from '../../../../plugins/protocol';
import type { Plugin } from './support/plugin';
import { detailsOf, failureFrom, urn } from './support/plugin';
import type { PluginCluster } from './support/pluginCluster';

const accountPatch = 'kubernetes:core/v1:ServiceAccountPatch';
const namespacePatch = 'kubernetes:core/v1:NamespacePatch';

const namespace = 'patches';
const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;

const annotations = (object: JsonObject) => stringsAt(object, 'metadata', 'annotations');
const managers = (object: JsonObject) =>
  objectsAt(object, 'metadata', 'managedFields').map((entry) => textAt(entry, 'manager'));
const annotating = (name: string, values: Record<string, string>): Properties => ({
  metadata: { name, annotations: values },
});

/** Patches of existing objects, and objects that are only read. */
export function patchesSuite(cluster: PluginCluster): void {
  let plugin: Plugin;
  let api: Connection;
  beforeAll(async () => {
    await cluster.namespace(namespace);
    plugin = await cluster.plugin(namespace);
    api = await Connection.open(cluster.kubeconfig, {}, 30);
  });
  afterAll(() => plugin.stop());

  /** A service account that somebody else made, as with `kubectl create`. */
  const existingAccount = (name: string, annotated: Record<string, string> = {}): Promise<JsonObject> =>
    api.request({ method: 'POST', path: accounts, body: { metadata: { name, annotations: annotated } } });
  const live = (path: string): Promise<JsonObject> => api.request({ method: 'GET', path });

  describe('a patch of an existing service account', () => {
    it('sets, changes and releases its own fields, and keeps the object and the fields of others', async () => {
      const before = await existingAccount('adopted', { theirs: 'kept' });
      const resource = urn(accountPatch, 'adopted');

      const created = await plugin.create(resource, annotating('adopted', { 'client-id': '1', extra: 'x' }));

      expect(created.id).toBe('patches/adopted');
      expect(annotations(await live(`${accounts}/adopted`))).toEqual({
        theirs: 'kept',
        'client-id': '1',
        extra: 'x',
      });
      const refreshed = await plugin.read(resource, created.id, created.state, created.inputs);
      expect(refreshed?.inputs).toEqual(created.inputs);
      const again = await plugin.check(resource, created.inputs, created.inputs);
      expect(detailsOf(await plugin.diff(resource, created, again))).toEqual({});

      const updated = await plugin.update(resource, created, annotating('adopted', { 'client-id': '2' }));
      expect(annotations(await live(`${accounts}/adopted`))).toEqual({ theirs: 'kept', 'client-id': '2' });

      await plugin.delete(resource, updated);
      const after = await live(`${accounts}/adopted`);
      expect(textAt(after, 'metadata', 'uid')).toBe(textAt(before, 'metadata', 'uid'));
      expect(annotations(after)).toEqual({ theirs: 'kept' });
      expect(managers(after).filter((name) => /^pulumi-kubernetes-[0-9a-f]{8}$/.test(name ?? ''))).toEqual(
        [],
      );
    });

    it('detects and repairs changes of its fields, and nothing else', async () => {
      await existingAccount('drifting');
      const resource = urn(accountPatch, 'drifting');
      const created = await plugin.create(resource, annotating('drifting', { mine: '1' }));
      const merge = { contentType: 'application/merge-patch+json', path: `${accounts}/drifting` };
      const body = { metadata: { annotations: { mine: 'taken', other: 'new' } } };
      await api.request({ method: 'PATCH', ...merge, body });

      const refreshed = await plugin.read(resource, created.id, created.state, created.inputs);
      const conflict = await failureFrom(
        plugin.update(resource, refreshed ?? created, annotating('drifting', { mine: '1' })),
      );
      const force = { mine: '1', 'pulumi.com/patchForce': 'true' };
      await plugin.update(resource, refreshed ?? created, annotating('drifting', force));

      expect(at(refreshed?.inputs as JsonObject, 'metadata', 'annotations')).toEqual({ mine: 'taken' });
      expect(conflict.message).toContain('pulumi.com/patchForce');
      expect(annotations(await live(`${accounts}/drifting`))).toMatchObject({ mine: '1', other: 'new' });
    });

    it('refuses a field that another manager owns', async () => {
      await existingAccount('owned', { contested: 'theirs' });

      const failure = await failureFrom(
        plugin.create(urn(accountPatch, 'owned'), annotating('owned', { contested: 'mine' })),
      );

      expect(failure.message).toContain("v1/ServiceAccount 'patches/owned'");
      expect(failure.message).toContain('.metadata.annotations.contested');
      expect(annotations(await live(`${accounts}/owned`))).toEqual({ contested: 'theirs' });
    });

    it('works with an explicit field manager, next to another patch of the same object', async () => {
      await existingAccount('shared');
      const created = await plugin.create(
        urn(accountPatch, 'one'),
        annotating('shared', { one: '1', 'pulumi.com/patchFieldManager': 'team' }),
      );
      await plugin.create(urn(accountPatch, 'two'), annotating('shared', { two: '2' }));
      expect(managers(await live(`${accounts}/shared`))).toEqual(
        expect.arrayContaining(['team', expect.stringMatching(/^pulumi-kubernetes-[0-9a-f]{8}$/)]),
      );

      await plugin.delete(urn(accountPatch, 'one'), created);

      expect(annotations(await live(`${accounts}/shared`))).toEqual({ two: '2' });
    });

    it('releases nothing once the object is deleted, and does not recreate it', async () => {
      await existingAccount('leaving');
      const resource = urn(accountPatch, 'leaving');
      const created = await plugin.create(resource, annotating('leaving', { a: '1' }));
      await api.request({ method: 'DELETE', path: `${accounts}/leaving` });

      expect(await plugin.read(resource, created.id, created.state, created.inputs)).toBeUndefined();
      await plugin.delete(resource, created);

      await expect(live(`${accounts}/leaving`)).rejects.toThrow('not found');
    });

    it('needs a name, and moves to another object by replacement', async () => {
      const resource = urn(accountPatch, 'moving');
      const { failures } = await plugin.tryCheck(resource, { metadata: { annotations: { a: '1' } } });
      await existingAccount('from');
      const created = await plugin.create(resource, annotating('from', { a: '1' }));

      const moved = await plugin.check(resource, annotating('to', { a: '1' }), created.inputs);

      expect(failures['metadata.name']).toContain('ServiceAccount');
      expect((await plugin.diff(resource, created, moved)).getReplacesList()).toEqual(['metadata.name']);
    });
  });

  describe('a patch of a namespace', () => {
    it('labels it, and removes the label without deleting the namespace', async () => {
      await api.request({
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { metadata: { name: 'patches-team-a' } },
      });
      const resource = urn(namespacePatch, 'patches-team-a');

      const created = await plugin.create(resource, {
        metadata: { name: 'patches-team-a', labels: { tier: 'front' } },
      });
      const labelled = await live('/api/v1/namespaces/patches-team-a');
      await plugin.delete(resource, created);
      const after = await live('/api/v1/namespaces/patches-team-a');

      expect(created.id).toBe('patches-team-a');
      expect(stringsAt(labelled, 'metadata', 'labels')).toHaveProperty('tier', 'front');
      expect(stringsAt(after, 'metadata', 'labels')).not.toHaveProperty('tier');
      expect(textAt(after, 'status', 'phase')).toBe('Active');
      expect(textAt(after, 'metadata', 'deletionTimestamp')).toBeUndefined();
    });
  });

  describe('a patch that owns required fields of its object', () => {
    it('cannot be deleted, and says why and how to proceed', async () => {
      const resource = urn('kubernetes:core/v1:ServicePatch', 'sole');
      // Nobody else made it: as with the official plugin, the apply creates it.
      const created = await plugin.create(resource, {
        metadata: { name: 'sole', annotations: { 'pulumi.com/skipAwait': 'true' } },
        spec: { ports: [{ port: 80 }] },
      });

      const failure = await failureFrom(plugin.delete(resource, created));

      expect(failure.message).toContain('spec.ports');
      expect(failure.message).toContain('retainOnDelete');
    });
  });

  describe('an object that is only read', () => {
    it('is found by its id alone', async () => {
      await existingAccount('found', { a: '1' });

      const account = await plugin.read(urn('kubernetes:core/v1:ServiceAccount', 'x'), 'patches/found');
      const namespace = await plugin.read(urn('kubernetes:core/v1:Namespace', 'x'), 'default');

      expect(at(account?.state as JsonObject, 'metadata', 'annotations', 'a')).toBe('1');
      expect(at(namespace?.state as JsonObject, 'status', 'phase')).toBe('Active');
    });

    it('does not exist for the engine, which refuses a get, if it is missing', async () => {
      const type = 'kubernetes:core/v1:ServiceAccount';
      expect(await plugin.read(urn(type, 'x'), 'patches/nobody')).toBeUndefined();
      expect(await plugin.read(urn(type, 'x'), 'no-such-namespace/nobody')).toBeUndefined();
    });
  });
}
