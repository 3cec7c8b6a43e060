import { parse } from 'yaml';
import type { EffectiveStackFile, StackFileSources } from '../../../commands/stackFile';
import { effectiveStackFile, readSalt, secretValuePath } from '../../../commands/stackFile';
import { PROJECT, SECRET_VALUES } from '../../../project';

/** The effective file of the stack `local`, without other files. */
const effective = (
  text: string,
  previous?: string,
  sources: Partial<StackFileSources> = {},
): EffectiveStackFile =>
  effectiveStackFile(text, {
    name: 'Pulumi.local.yaml',
    previous,
    secretNames: (config) => {
      const applications = (config as Record<string, unknown>)[`${PROJECT}:applications`];
      return [...new Set((applications as { secrets: string[] }[]).flatMap(({ secrets }) => secrets))];
    },
    ...sources,
  });

const committed = `# The local environment.
config:
  ${PROJECT}:location: westeurope
  ${PROJECT}:certManager: { chart: ./.state/charts/cert-manager.tgz }
  ${PROJECT}:applications:
    - { name: orders, secrets: [orders-db, shared] }
    - { name: billing, secrets: [shared, billing-db] }
`;

interface StackFile {
  encryptionsalt?: string;
  config: Record<string, unknown>;
}
const read = (text: string): StackFile => parse(text) as StackFile;
const values = (text: string): unknown => read(text).config[SECRET_VALUES];

/** The file after the engine has set the salt and the values. */
const previous = `encryptionsalt: v1:salt
config:
  ${PROJECT}:location: northeurope
  ${SECRET_VALUES}:
    orders-db: { secure: v1:one }
    shared: { secure: v1:two }
    gone: { secure: v1:three }
`;

describe('the effective stack file', () => {
  it('needs a value for every secret that an application names', () => {
    const { text, missing } = effective(committed, undefined);
    expect(missing).toEqual(['billing-db', 'orders-db', 'shared']);
    expect(text).toContain('# The local environment.');
    expect(read(text)).toEqual(read(committed));
  });

  it('keeps the salt and the generated values, and otherwise follows the committed file', () => {
    const { text, missing } = effective(committed, previous);
    expect(missing).toEqual(['billing-db']);
    expect(readSalt(text)).toBe('v1:salt');
    expect(values(text)).toMatchObject({ 'orders-db': { secure: 'v1:one' }, shared: { secure: 'v1:two' } });
    expect(read(text).config[`${PROJECT}:location`]).toBe('westeurope');
  });

  it('does not change when it is made again', () => {
    const text = effective(committed, previous).text;
    expect(effective(committed, text).text).toBe(text);
  });

  it('keeps a value of the committed file', () => {
    const own = `${committed}  ${SECRET_VALUES}: { orders-db: mine, shared: null }\n`;
    const { text, missing } = effective(own, previous);
    expect(values(text)).toMatchObject({ 'orders-db': 'mine', shared: { secure: 'v1:two' } });
    // billing-db is not listed, so it must exist in its vault.
    expect(missing).toEqual([]);
  });

  it('uses another state root', () => {
    const { text } = effective(committed, undefined, { stateFolder: './.state/tests/a' });
    expect(read(text).config[`${PROJECT}:certManager`]).toEqual({
      chart: './.state/tests/a/charts/cert-manager.tgz',
    });
  });

  it('keeps the value of a secret that no application names any more, until one names it again', () => {
    const without = committed.replace(/ {4}- \{ name: billing.*\n/, '').replace(', shared]', ']');
    const { text, missing, aside } = effective(without, previous);
    expect(missing).toEqual([]);
    // No message names a key that is not in the committed file.
    expect(values(text)).toEqual({ 'orders-db': { secure: 'v1:one' } });
    expect(aside).toEqual({ shared: 'v1:two', gone: 'v1:three' });
    const again = effective(committed.replace('[orders-db,', '[orders-db, Gone,'), text, { aside });
    expect(again.missing).toEqual(['billing-db']);
    expect(values(again.text)).toEqual({
      'orders-db': { secure: 'v1:one' },
      Gone: { secure: 'v1:three' },
      shared: { secure: 'v1:two' },
    });
    expect(again.aside).toEqual({});
  });

  it('has the value under the current spelling of the name', () => {
    const { text, missing } = effective(committed.replaceAll('shared', 'Shared'), previous);
    expect(missing).toEqual(['billing-db']);
    expect(values(text)).toEqual({ 'orders-db': { secure: 'v1:one' }, Shared: { secure: 'v1:two' } });
  });

  it('needs no value for an invalid name of a secret', () => {
    const names = JSON.stringify(['a.b[0]', 'x"y', '', 'under_score', 'x'.repeat(128), 'fine-1']);
    const text = `config:\n  ${PROJECT}:applications: [{ name: a, secrets: ${names} }]\n`;
    expect(effective(text, undefined)).toMatchObject({ missing: ['fine-1'] });
  });

  it.each(['5', '[a, b]', 'text'])('leaves secret values of a wrong kind to the program: %s', (wrong) => {
    const text = `${committed}  ${SECRET_VALUES}: ${wrong}\n`;
    const result = effective(text, previous);
    expect(result.missing).toEqual([]);
    expect(values(result.text)).toEqual(values(text));
  });

  it.each([
    ['without anything', '\n    # none yet', []],
    ['with nothing in it', ' {}', []],
    ['with a name that has no value', ' { mine: }', ['mine']],
    ['with a value', ' { mine: value }', []],
  ])('needs values only for secrets that the key secretValues lists: %s', (_what, configured, expected) => {
    const { text, missing } = effective(`${committed}  ${SECRET_VALUES}:${configured}\n`);
    expect(missing).toEqual(expected);
    expect(text).not.toMatch(/secretValues:\s*(\n|$)/);
  });

  it('keeps values that were set here also for secrets that the key does not list', () => {
    const { text } = effective(`${committed}  ${SECRET_VALUES}: {}\n`, previous);
    expect(values(text)).toHaveProperty('shared', { secure: 'v1:two' });
  });

  it('ignores values that are encrypted with the passphrase of the stack in Azure, and needs others', () => {
    const inAzure = `encryptionsalt: v1:azure
secretsprovider: azurekeyvault://x
${committed}  ${SECRET_VALUES}: { orders-db: { secure: v1:azure }, billing-db: { secure: v1:azure } }
  ${PROJECT}:kubeconfigs: { edge-1: { secure: v1:azure } }
`;
    const first = effective(inAzure);
    expect(first.missing).toEqual(['billing-db', 'orders-db']);
    expect(first.text).not.toContain('azure');
    const set = `encryptionsalt: v1:salt
config:
  ${SECRET_VALUES}: { orders-db: { secure: v1:here }, billing-db: { secure: v1:here } }
  ${PROJECT}:kubeconfigs: { edge-1: { secure: v1:here } }
`;
    const second = effective(inAzure, set);
    expect(second.missing).toEqual([]);
    expect(read(second.text)).toMatchObject({
      encryptionsalt: 'v1:salt',
      config: {
        [SECRET_VALUES]: { 'orders-db': { secure: 'v1:here' } },
        [`${PROJECT}:kubeconfigs`]: { 'edge-1': { secure: 'v1:here' } },
      },
    });
  });

  it('keeps other locally encrypted values, unless the committed file has its own', () => {
    const set = `config:
  ${PROJECT}:kubeconfigs: { edge-1: { secure: v1:one }, edge-2: { secure: v1:two } }
  ${PROJECT}:whole: { secure: v1:three }
  ${PROJECT}:plain: { a: 1 }
`;
    const { text } = effective(`${committed}  ${PROJECT}:kubeconfigs: { edge-1: own }\n`, set);
    expect(read(text).config).toMatchObject({
      [`${PROJECT}:kubeconfigs`]: { 'edge-1': 'own', 'edge-2': { secure: 'v1:two' } },
      [`${PROJECT}:whole`]: { secure: 'v1:three' },
    });
    expect(text).not.toContain('plain');
  });

  it('reports invalid YAML', () => {
    expect(() => effective('config: [', undefined)).toThrow(/Pulumi.local.yaml is not valid YAML/);
  });

  it('quotes names in the path of a value', () => {
    expect(secretValuePath('a.b')).toBe(`${SECRET_VALUES}["a.b"]`);
  });
});
