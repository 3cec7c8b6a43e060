import { RunError } from '@pulumi/pulumi';
import { readConfiguration } from '../../../stacks/readConfiguration';
import { InvalidConfigurationError } from '../../../stacks/invalidConfiguration';
import { encryptedKeys } from '../../../stacks/settings/encryptedKeys';
import { fromPulumiConfig } from '../../../stacks/settings/pulumiConfig';

// What these do not prove: that the engine hands the configuration over so; the engine's tests do. What is wrong with a
// configuration is in problems/.

const key = (name: string) => `aks-workload-identity:${name}`;
const secretValues = key('secretValues');
const texts = {
  [key('location')]: 'westeurope',
  [key('resourceGroup')]: 'rg-test',
  [key('vault')]: '{"name":"kv-test"}',
  [key('clusters')]: '[{"name":"aks-1"}]',
  [key('applications')]: '[{"name":"orders","image":"x:1","secrets":["orders-db"]}]',
  [secretValues]: '{"orders-db":"of the test"}',
};
const read = (changes: Record<string, string> = {}, encrypted = [secretValues]) =>
  readConfiguration('test', { ...texts, ...changes }, encrypted);

describe('the configuration that the program reads', () => {
  it('has its values, and its defaults filled in', () => {
    const { environment, settings } = read();

    expect(environment).toBe('test');
    expect(settings).toMatchObject({
      ...{ identity: 'cluster', vaults: 'central', protect: false, tags: {} },
      ...{ certManager: { install: true }, serviceOperator: { install: true } },
      vault: {
        ...{ name: 'kv-test', access: 'rbac', publicAccess: false, overreach: 'refused' },
        ...{ softDeleteRetentionInDays: 90, purgeProtection: true },
      },
      secretValues: { 'orders-db': 'of the test' },
    });
    expect(read({ [secretValues]: '{}' }, []).settings.secretValues).toEqual({});
  });

  it('consists of strings and JSON, and ignores other namespaces', () => {
    expect(
      fromPulumiConfig({
        [key('location')]: 'westeurope',
        [key('resourceGroup')]: '1234',
        [key('protect')]: 'false',
        [key('clusters')]: '[{"name":"aks-1"}]',
        [key('applications')]: 'not a list',
        'azure-native:location': 'northeurope',
      }),
    ).toEqual({
      location: 'westeurope',
      resourceGroup: '1234',
      protect: false,
      clusters: [{ name: 'aks-1' }],
      applications: 'not a list',
    });
  });

  it('is refused with all its problems in one error that has no stack trace', () => {
    const wrong = () => read({ [key('location')]: 'West Europe', [key('vault')]: '{}', 'aws:region': 'x' });

    expect(wrong).toThrow(InvalidConfigurationError);
    expect(wrong).toThrow(
      /^Pulumi\.test\.yaml has 3 errors; nothing was changed\.\n\n {2}aws:region: has no effect: .*\n {2}aks-workload-identity:location: .*\n {2}aks-workload-identity:vault: .*\n\nRules that span several settings are checked once these are corrected\.\n$/,
    );
    try {
      wrong();
    } catch (error) {
      expect(RunError.isInstance(error)).toBe(true);
      expect((error as Error).stack).not.toMatch(/\n {4}at /);
    }
  });

  it.each([
    ['a value of a secret in plain text', {}, [], `${secretValues}.orders-db: is in plain text`],
    [
      'a kubeconfig in plain text',
      { [key('kubeconfigs')]: '{"edge":"of the test"}' },
      [secretValues],
      `${key('kubeconfigs')}.edge: is in plain text`,
    ],
    [
      'an encrypted value that would be shown where it is used',
      {},
      [secretValues, key('applications'), 'azure:token'],
      `${key('applications')}: is or contains an encrypted value`,
    ],
  ])('is refused with %s, which is not shown', (_, changes, encrypted, problem) => {
    expect(() => read(changes, encrypted)).toThrow(problem);
    expect(() => read(changes, encrypted)).not.toThrow('of the test');
  });
});

describe('the encrypted keys', () => {
  it.each([
    ['what the engine hands over', { PULUMI_CONFIG_SECRET_KEYS: `["${secretValues}"]` }, [secretValues]],
    ['none', { PULUMI_CONFIG_SECRET_KEYS: '' }, []],
    ['none outside of the engine', {}, []],
  ])('are %s', (_what, env, keys) => {
    expect(encryptedKeys(env)).toEqual(keys);
  });
});
