import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AuditLog } from '../../../azure/audit';
import { ControllableClock } from '../../../azure/clock';
import { openCredentials } from '../../../azure/credentials';
import { Collection } from '../../../azure/store/collection';
import { SecretBox } from '../../../azure/store/secretBox';
import { COMMAND } from '../../../project';

describe('the store', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'store-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('reads after a restart what was written, by ids in any case', () => {
    const first = new Collection<{ value: number }>(folder);
    first.set('/A/b', { value: 1 });
    first.set('/a/B', { value: 2 });
    first.set('/a/c', { value: 3 });
    first.delete('/A/C');
    const second = new Collection<{ value: number }>(folder);
    expect(second.values()).toEqual([{ value: 2 }]);
    expect(second.has('/a/b')).toBe(true);
    expect(second.delete('/none')).toBe(false);
  });

  it('drops incomplete files of a killed process', () => {
    new Collection<number>(folder).set('x', 1);
    writeFileSync(path.join(folder, 'half.json.tmp'), '{"id":"y"');
    expect(new Collection<number>(folder).values()).toEqual([1]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('seals values: never the same twice, opened with the same key only', () => {
    const file = path.join(folder, 'key');
    const box = new SecretBox(file);
    const sealed = box.seal('hidden');
    expect(sealed).not.toContain(Buffer.from('hidden').toString('base64'));
    expect(box.seal('hidden')).not.toBe(sealed);
    expect(new SecretBox(file).open(sealed)).toBe('hidden');
    expect(() => new SecretBox(path.join(folder, 'other')).open(sealed)).toThrow();
    writeFileSync(file, 'short');
    expect(() => new SecretBox(file)).toThrow(`${COMMAND} clean`);
  });

  it('keeps credentials, and says what to do when they are damaged', () => {
    const file = path.join(folder, 'credentials.json');
    expect(openCredentials(file)).toEqual(openCredentials(file));
    writeFileSync(file, '{');
    expect(() => openCredentials(file)).toThrow(`${COMMAND} clean`);
  });

  it('reads an audit log whose last line was cut short', () => {
    const log = new AuditLog(path.join(folder, 'audit.jsonl'));
    log.append({ time: 't', clientId: 'c', grant: 'none', outcome: 'refused', correlationId: 'x' });
    writeFileSync(log.file, `${readFileSync(log.file, 'utf8')}{"time":`);
    expect(log.read().map((entry) => entry.clientId)).toEqual(['c']);
  });
});

describe('the clock', () => {
  it('stands still unless it is automatic, and wakes sleepers by its own time', async () => {
    const clock = new ControllableClock({ auto: false });
    const start = clock.now();
    const woken: string[] = [];
    const early = clock.sleep(10).then(() => woken.push('early'));
    const late = clock.sleep(100).then(() => woken.push('late'));
    clock.advance(50);
    await early;
    expect([clock.now() - start, woken]).toEqual([50, ['early']]);
    clock.advance(50);
    await late;
    expect(woken).toEqual(['early', 'late']);
  });

  it('does not jump when its mode changes, and never runs backward', () => {
    const clock = new ControllableClock({ auto: false });
    clock.advance(1_000_000);
    const shown = clock.now();
    clock.auto = true;
    expect(clock.now()).toBeGreaterThanOrEqual(shown);
    clock.auto = false;
    expect(clock.now()).toBeGreaterThanOrEqual(shown);
    expect(() => clock.advance(-1)).toThrow('forward');
  });

  it('wakes all sleepers when it closes', async () => {
    const clock = new ControllableClock({ auto: false });
    const sleeping = clock.sleep(1000);
    clock.close();
    await expect(sleeping).resolves.toBeUndefined();
  });
});
