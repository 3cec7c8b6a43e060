import { containerEnvironment } from '../../../kubernetes/agent/environment';
import { MissingSource } from '../../../kubernetes/agent/sources';
import type { Container } from '../../../kubernetes/api/types';
import { testPod } from './support';

const objects: Record<string, Record<string, string>> = {
  'secret/default/database': { user: 'app', password: 'p' },
  'configMap/default/settings': { LEVEL: 'debug', user: 'overridden' },
};
const sources = {
  read: (kind: string, namespace: string, name: string) => {
    const data = objects[`${kind}/${namespace}/${name}`];
    return Promise.resolve(
      data && new Map(Object.entries(data).map(([key, value]) => [key, Buffer.from(value)] as const)),
    );
  },
};
const environment = (container: Partial<Container>) =>
  containerEnvironment(testPod(), { name: 'main', image: 'x', ...container }, sources, {
    podIp: '10.244.128.1',
    hostIp: '10.224.0.4',
  });

describe('environment of a container', () => {
  it('applies envFrom in order, with prefixes, then env, which can refer to earlier variables', async () => {
    expect(
      await environment({
        envFrom: [
          { configMapRef: { name: 'settings' } },
          { secretRef: { name: 'database' } },
          { prefix: 'DB_', secretRef: { name: 'database' } },
        ],
        env: [
          { name: 'A', value: '$(DB_user)' },
          { name: 'B', value: '$(A)-$(C)' },
          { name: 'C', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } },
          { name: 'EMPTY' },
        ],
      }),
    ).toEqual({
      LEVEL: 'debug',
      user: 'app',
      password: 'p',
      DB_user: 'app',
      DB_password: 'p',
      A: 'app',
      B: 'app-$(C)',
      C: 'p',
      EMPTY: '',
    });
  });

  it.each<[string, Partial<Container>, string]>([
    ['object', { envFrom: [{ secretRef: { name: 'none' } }] }, 'secret "none" not found'],
    [
      'key',
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'none' } } }] },
      "couldn't find key none in ConfigMap default/settings",
    ],
  ])('waits for a missing %s, naming it', async (_title, container, message) => {
    const failure = environment(container);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(MissingSource);
  });

  it('ignores missing optional sources', async () => {
    expect(
      await environment({
        envFrom: [{ secretRef: { name: 'none', optional: true } }],
        env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'database', key: 'none', optional: true } } }],
      }),
    ).toEqual({});
  });
});
