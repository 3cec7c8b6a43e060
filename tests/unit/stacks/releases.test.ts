import { validate } from '../../../stacks/configuration';
import { releaseDigest } from '../../../stacks/settings/releases/digest';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from './deployed';
import { application, configurationOf, input as inputOf, planOf } from './settings';

// What these do not prove: that the program is run where the paths lead to the files; the end-to-end test does.

const orders = `
name: orders
environments: { test: 1.5.0, prod: 1.4.0 }
releases:
  1.5.0: { image: 'x/orders:1.5.0', secrets: [orders-db], port: 9000, env: { LEVEL: info, REGION: eu } }
  1.4.0: { image: 'x/orders:1.4.0', secrets: [orders-db] }
`;
const input = (more: object = {}) =>
  inputOf([{ name: 'orders', release: './applications/orders.yaml', ...more }]);
const files = (name: string) => (name === 'applications/orders.yaml' ? orders : undefined);
const plan = (settings = input(), environment = 'test') => planOf(settings, environment, files);

describe('an application with a release file', () => {
  it('is what the release pinned for the environment says, and grants what that names', () => {
    const { clusters, vaults } = plan();

    expect(clusters[0]?.workloads[0]).toMatchObject({
      version: '1.5.0',
      application: { name: 'orders', image: 'x/orders:1.5.0', secrets: ['orders-db'], port: 9000 },
    });
    const secrets = ['orders-db'];
    expect(vaults[0]).toMatchObject({ secrets, grants: [{ grantee: 'aks-1', secrets }] });
    expect(
      plan({ ...input(), policies: { production: false } }, 'prod').clusters[0]?.workloads[0],
    ).toMatchObject({
      version: '1.4.0',
      application: { image: 'x/orders:1.4.0' },
    });
  });

  it('keeps the settings of the stack file: replicas, overrides, and variables, which win', () => {
    const { clusters } = plan(
      input({
        replicas: 5,
        env: { LEVEL: 'debug', EXTRA: 'x' },
        overrides: [{ clusters: ['aks-1'], env: { REGION: 'us' } }],
      }),
    );

    expect(clusters[0]?.workloads[0]?.application).toMatchObject({
      replicas: 5,
      env: { LEVEL: 'debug', EXTRA: 'x', REGION: 'us' },
    });
  });

  it('has a digest of what its release runs and may read, and of nothing else', () => {
    const content = { image: 'x/y:1', secrets: ['a', 'b'], env: { A: '1', B: '2' } };
    const digest = releaseDigest(content);

    expect(digest).toMatch(/^[0-9a-f]{16}$/);
    expect(releaseDigest({ env: { B: '2', A: '1' }, secrets: ['b', 'a'], image: 'x/y:1' })).toBe(digest);
    const others = [
      { ...content, image: 'x/y:2' },
      { ...content, secrets: ['a'] },
      { ...content, env: { A: '1', B: '3' } },
      { ...content, port: 80 },
      { ...content, chart: { chart: './x', values: { b: 1, a: [1, 2] } } },
      { ...content, chart: { chart: './x', values: { a: [2, 1], b: 1 } } },
    ].map(releaseDigest);
    expect(new Set([digest, ...others]).size).toBe(others.length + 1);
  });

  it('has its version and that digest in the outputs, also where a cluster overrides something', async () => {
    const settings = input({ replicas: 7, overrides: [{ clusters: ['aks-1'], env: { REGION: 'us' } }] });
    const configuration = configurationOf(settings, 'test', files);
    const { result } = await record(() => deployed(configuration));

    const env = { LEVEL: 'info', REGION: 'eu' };
    const content = { image: 'x/orders:1.5.0', secrets: ['orders-db'], port: 9000, env };
    expect(await valueOf(result.workloads)).toMatchObject([
      { version: '1.5.0', digest: releaseDigest(content) },
    ]);
  });

  it('has no version without one', () => {
    const { clusters } = planOf(inputOf([application('orders')]));

    expect(clusters[0]?.workloads[0]?.version).toBeUndefined();
  });

  it('is refused without a look at a file outside the project', () => {
    const read = jest.fn(() => orders);

    expect(validate('test', input({ release: '../other/orders.yaml' }), read).ok).toBe(false);
    expect(read).not.toHaveBeenCalled();
  });
});
