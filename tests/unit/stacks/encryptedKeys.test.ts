import { readConfiguration } from '../../../stacks/checks/configuration';
import { encryptedKeys } from '../../../stacks/settings/encryptedKeys';

const secretValues = 'aks-workload-identity:secretValues';
const texts = {
  'aks-workload-identity:location': 'westeurope',
  'aks-workload-identity:resourceGroup': 'rg-test',
  'aks-workload-identity:vault': '{"name":"kv-test"}',
  'aks-workload-identity:clusters': '[{"name":"aks-1"}]',
  'aks-workload-identity:applications': '[{"name":"orders","image":"x:1","secrets":["orders-db"]}]',
  [secretValues]: '{"orders-db":"of the test"}',
};

describe('a key of a namespace that nothing reads', () => {
  it('is refused by the program as by the command', () => {
    const read = () => readConfiguration('test', { ...texts, 'aws:region': 'x' }, [secretValues]);

    expect(read).toThrow('aws:region: has no effect: nothing reads keys of aws.');
  });
});

describe('values of secrets', () => {
  it('are taken if the stack file holds them encrypted', () => {
    expect(readConfiguration('test', texts, [secretValues]).settings.secretValues).toEqual({
      'orders-db': 'of the test',
    });
  });

  it('are refused in plain text, without being shown', () => {
    const read = () => readConfiguration('test', texts, []);
    expect(read).toThrow(
      `${secretValues}.orders-db: is in plain text in the stack file. Allowed: encrypted values.`,
    );
    expect(read).toThrow('pulumi config set --secret');
    expect(read).not.toThrow('of the test');
  });

  it('may be none at all', () => {
    const none = { ...texts, [secretValues]: '{}' };
    expect(readConfiguration('test', none, []).settings.secretValues).toEqual({});
  });
});

describe('kubeconfigs', () => {
  it('are refused in plain text as well, without being shown', () => {
    const kubeconfigs = { 'aks-workload-identity:kubeconfigs': '{"edge-1":"of the test"}' };
    const read = () => readConfiguration('test', { ...texts, ...kubeconfigs }, [secretValues]);

    expect(read).toThrow('aks-workload-identity:kubeconfigs.edge-1: is in plain text in the stack file.');
    expect(read).toThrow("pulumi config set --secret --path 'kubeconfigs.edge-1' < <file>`");
    expect(read).not.toThrow('of the test');
  });
});

describe('any other value', () => {
  it('is refused encrypted: the program would put it where it can be read', () => {
    const read = () =>
      readConfiguration('test', texts, [secretValues, 'aks-workload-identity:applications', 'azure:token']);

    expect(read).toThrow(
      /has 1 error; .*\n\n {2}aks-workload-identity:applications: is or has an encrypted value, which would be shown where it is used\. Allowed: .* Remove it/,
    );
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
