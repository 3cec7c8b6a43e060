import { parse } from 'yaml';
import { effectiveStackFile, readSalt, secretValuePath } from '../../../localcloud/commands/stackFile';

const committed = `# The local environment.
config:
  aks-workload-identity:location: westeurope
  aks-workload-identity:certManager: { chart: ./.state/charts/cert-manager.tgz }
  aks-workload-identity:applications:
    - { name: orders, secrets: [orders-db, shared] }
    - { name: billing, secrets: [shared, billing-db] }
`;

interface StackFile {
  encryptionsalt?: string;
  config: Record<string, unknown>;
}
const read = (text: string): StackFile => parse(text) as StackFile;
const values = (text: string): unknown => read(text).config['aks-workload-identity:secretValues'];

/** As the engine leaves the file after the salt and the values were set. */
const previous = `encryptionsalt: v1:salt
config:
  aks-workload-identity:location: northeurope
  aks-workload-identity:secretValues:
    orders-db: { secure: v1:one }
    shared: { secure: v1:two }
    gone: { secure: v1:three }
`;

describe('the effective stack file', () => {
  it('asks for a value of every secret that an application names', () => {
    const { text, missing } = effectiveStackFile(committed, undefined);
    expect(missing).toEqual(['billing-db', 'orders-db', 'shared']);
    expect(text).toContain('# The local environment.');
    expect(read(text)).toEqual(read(committed));
  });

  it('keeps the salt and the values that were made before, and follows the committed file otherwise', () => {
    const { text, missing } = effectiveStackFile(committed, previous);
    expect(missing).toEqual(['billing-db']);
    expect(readSalt(text)).toBe('v1:salt');
    expect(values(text)).toMatchObject({ 'orders-db': { secure: 'v1:one' }, shared: { secure: 'v1:two' } });
    expect(read(text).config['aks-workload-identity:location']).toBe('westeurope');
  });

  it('is the same when it is made of itself', () => {
    const once = effectiveStackFile(committed, previous).text;
    expect(effectiveStackFile(committed, once).text).toBe(once);
  });

  it('leaves a value alone that the committed file has', () => {
    const own = `${committed}  aks-workload-identity:secretValues: { orders-db: mine, shared: null }\n`;
    const { text, missing } = effectiveStackFile(own, previous);
    expect(values(text)).toMatchObject({ 'orders-db': 'mine', shared: { secure: 'v1:two' } });
    expect(missing).toEqual(['billing-db']);
  });

  it('leads to the state root where that is not the usual one', () => {
    const { text } = effectiveStackFile(committed, undefined, './.state/tests/a');
    expect(read(text).config['aks-workload-identity:certManager']).toEqual({
      chart: './.state/tests/a/charts/cert-manager.tgz',
    });
  });

  it('leaves a malformed list of applications to the program, which reports it', () => {
    const { missing } = effectiveStackFile('config:\n  aks-workload-identity:applications: 7\n', undefined);
    expect(missing).toEqual([]);
  });

  it('keeps the value of a secret that no application names any more, until one names it again', () => {
    const without = committed.replace(/ {4}- \{ name: billing.*\n/, '').replace(', shared]', ']');
    const { text, missing } = effectiveStackFile(without, previous);
    expect(missing).toEqual([]);
    expect(values(text)).toEqual({
      'orders-db': { secure: 'v1:one' },
      shared: { secure: 'v1:two' },
      gone: { secure: 'v1:three' },
    });
    const again = effectiveStackFile(committed.replace('[orders-db,', '[orders-db, gone,'), text);
    expect(again.missing).toEqual(['billing-db']);
    expect(values(again.text)).toEqual(values(text));
  });

  it('has the value under the spelling that the applications use now', () => {
    const { text, missing } = effectiveStackFile(committed.replaceAll('shared', 'Shared'), previous);
    expect(missing).toEqual(['billing-db']);
    expect(values(text)).toEqual({
      'orders-db': { secure: 'v1:one' },
      Shared: { secure: 'v1:two' },
      gone: { secure: 'v1:three' },
    });
  });

  it('makes no value for what is no name of a secret', () => {
    const names = JSON.stringify([
      'a.b[0]',
      'x"y',
      '',
      'under_score',
      5,
      null,
      { a: 1 },
      'x'.repeat(128),
      'fine-1',
    ]);
    const text = `config:\n  aks-workload-identity:applications: [{ name: a, secrets: ${names} }, 7, null]\n`;
    expect(effectiveStackFile(text, undefined)).toMatchObject({ missing: ['fine-1'] });
  });

  it.each(['5', '[a, b]', 'text'])('leaves secret values of a wrong kind to the program: %s', (wrong) => {
    const text = `${committed}  aks-workload-identity:secretValues: ${wrong}\n`;
    const effective = effectiveStackFile(text, previous);
    expect(effective.missing).toEqual([]);
    expect(values(effective.text)).toEqual(values(text));
  });

  it('puts values in where the committed file has the key without any', () => {
    const { text, missing } = effectiveStackFile(
      `${committed}  aks-workload-identity:secretValues:\n    # none yet\n`,
      previous,
    );
    expect(missing).toEqual(['billing-db']);
    expect(values(text)).toHaveProperty('shared', { secure: 'v1:two' });
  });

  it('says what is wrong with YAML that cannot be read', () => {
    expect(() => effectiveStackFile('config: [', undefined)).toThrow(/Pulumi.local.yaml is not valid YAML/);
  });

  it('quotes names in the path of a value', () => {
    expect(secretValuePath('a.b')).toBe('aks-workload-identity:secretValues["a.b"]');
  });
});
