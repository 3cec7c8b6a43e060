import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LongRunning } from '../../../azure/arm/longRunning';
import { Operations } from '../../../azure/arm/operations';
import { ControllableClock } from '../../../azure/clock';
import { Faults } from '../../../azure/faults';
import type { ResourceDocument } from '../../../azure/store/documents';
import { Store } from '../../../azure/store/store';

const ID = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/one';
const resource = (state: string): ResourceDocument => ({
  id: ID,
  name: 'one',
  type: 'Microsoft.Storage/storageAccounts',
  properties: { state },
});

describe('changes that continue after the answer', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'long-running-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const start = () => {
    const [clock, store, faults] = [new ControllableClock({ auto: false }), new Store(folder), new Faults()];
    const operations = new Operations(store, clock);
    return { clock, store, faults, operations, changes: new LongRunning(store, clock, operations, faults) };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('take effect at their end, and not before', async () => {
    const { clock, store, operations, changes } = start();
    const { id } = changes.begin(ID, { succeeded: resource('new'), failed: null });
    clock.advance(900);
    await settled();
    expect([store.resources.get(ID), operations.get(id)?.status]).toEqual([undefined, 'InProgress']);
    clock.advance(200);
    await settled();
    expect(store.resources.get(ID)?.properties).toEqual({ state: 'new' });
    expect(operations.get(id)).toMatchObject({ status: 'Succeeded' });
  });

  it('that a kill interrupted are completed by the next start', async () => {
    const killed = start();
    const { id } = killed.changes.begin(ID, { succeeded: resource('new'), failed: null });
    const { clock, store, operations, changes } = start();
    changes.resume();
    clock.advance(1000);
    await settled();
    expect(store.resources.get(ID)?.properties).toEqual({ state: 'new' });
    expect(operations.get(id)).toMatchObject({ status: 'Succeeded' });
  });

  it('that were cancelled have no effect', async () => {
    const { clock, store, operations, changes } = start();
    changes.begin(ID, { succeeded: resource('new'), failed: resource('old') });
    operations.cancel(ID);
    clock.advance(1000);
    await settled();
    expect(store.resources.get(ID)).toBeUndefined();
  });

  it.each([
    ['restores the previous resource', resource('old'), { state: 'old' }],
    ['removes a new resource and its children', null, undefined],
  ])('that an injected fault ends %s', async (_what, failed, left) => {
    const { clock, store, faults, operations, changes } = start();
    store.resources.set(ID, resource('changing'));
    store.resources.set(`${ID}/inner/a`, { ...resource('inner'), id: `${ID}/inner/a` });
    faults.failProvisioning({ resource: /one$/, code: 'Quota', message: 'full', times: 1 });
    const { id } = changes.begin(ID, { succeeded: resource('new'), failed });
    clock.advance(1000);
    await settled();
    expect(store.resources.get(ID)?.properties).toEqual(left);
    expect(store.resources.has(`${ID}/inner/a`)).toBe(failed !== null);
    expect(operations.get(id)).toMatchObject({ status: 'Failed', error: { code: 'Quota', message: 'full' } });
  });
});
