import { readSettings } from '../../../examples/reader/settings';

const good = {
  KEY_VAULT_URI: 'https://kv-wi-local.vault.azure.net/',
  SECRET_NAMES: 'orders-db, shared-api-key',
};

describe('the settings of the reader', () => {
  it('are the vault and the names; the rest has defaults', () => {
    expect(readSettings(good)).toEqual({
      vaultUri: 'https://kv-wi-local.vault.azure.net/',
      secretNames: ['orders-db', 'shared-api-key'],
      filesFolder: undefined,
      variables: [],
      port: 8080,
      host: undefined,
      refreshEvery: 300_000,
    });
  });

  it.each([
    [{ KEY_VAULT_URI: undefined }, 'KEY_VAULT_URI'],
    [{ KEY_VAULT_URI: 'http://kv.vault.azure.net/' }, "KEY_VAULT_URI is 'http://kv.vault.azure.net/'"],
    [{ SECRET_NAMES: ' , ' }, 'SECRET_NAMES is empty'],
    [{ SECRET_NAMES: 'a,b_c' }, 'SECRET_NAMES has b_c'],
    [{ PORT: '0' }, "PORT is '0', expected 1 to 65535"],
    [{ REFRESH_SECONDS: 'often' }, "REFRESH_SECONDS is 'often'"],
  ])('%j is refused', (change, message) => {
    expect(() => readSettings({ ...good, ...change })).toThrow(message);
  });

  it('need no vault if secrets are delivered as files or variables', () => {
    expect(readSettings({ SECRET_FILES: '/mnt/secrets', SECRET_NAMES: 'a' })).toMatchObject({
      ...{ vaultUri: undefined, filesFolder: '/mnt/secrets', secretNames: ['a'] },
    });
    expect(readSettings({ SECRET_ENVIRONMENT: 'ONE, TWO' })).toMatchObject({ variables: ['ONE', 'TWO'] });
    expect(() => readSettings({ SECRET_FILES: '/mnt/secrets' })).toThrow('SECRET_NAMES is empty');
    expect(() => readSettings({ SECRET_ENVIRONMENT: 'ONE', KEY_VAULT_URI: 'kv' })).toThrow('KEY_VAULT_URI');
  });

  it('are reported together when several are wrong', () => {
    expect(() => readSettings({ PORT: 'x' })).toThrow(/KEY_VAULT_URI.*SECRET_NAMES.*PORT/);
  });
});
