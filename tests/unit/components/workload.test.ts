import * as pulumi from '@pulumi/pulumi';
import { parse } from 'yaml';
import type { WorkloadArgs } from '../../../components/application/arguments';
import type { WorkloadDependency } from '../../../components/application/dependencies';
import { deployment, release, withChart, withImage } from './support/workloads';

// What of a workload depends on what is known late, and what does not depend on order. What it registers is in the goldens.
// What mocks do not prove: that the webhook injects the identity, that the driver fetches the secrets, that pods start.

type Recorded = Awaited<ReturnType<typeof withImage>>;
const inputsOf = ({ find }: Recorded, type: string) => find(type, 'aks-1-orders').inputs;
const classOf = ({ find }: Recorded) =>
  find('kubernetes:secrets-store.csi.x-k8s.io/v1:SecretProviderClass', 'aks-1-orders-secrets').inputs
    .spec as { parameters: { objects: string }; secretObjects: { secretName: string }[] };
const delivered = (delivery: 'files' | 'environment', ...secretNames: string[]) =>
  withImage({ delivery, vault: { name: 'kv-a', uri: 'https://kv/', secretNames } });

describe('a workload with late inputs, such as another component’s outputs', () => {
  const plain = {
    ...{ dependency: 'files', azureName: 'stfiles', accessible: true },
    values: [
      { from: 'configMap', name: 'orders-files', key: 'endpoint' },
      { from: 'secret', name: 'orders-files-keys', key: 'key' },
    ],
  } satisfies WorkloadDependency;
  const late = (): WorkloadDependency => ({
    dependency: pulumi.output(plain.dependency),
    azureName: pulumi.output(plain.azureName),
    values: pulumi.output(plain.values),
    accessible: pulumi.output(true),
  });
  const vault = (name: pulumi.Input<string>) => ({ name, uri: 'https://kv/', secretNames: ['orders-db'] });

  it.each<[string, string, typeof withImage]>([
    ['an image', deployment, withImage],
    [
      'a chart',
      release,
      (args) => withChart({ source: { chart: './charts/orders' } }, args as Partial<WorkloadArgs>),
    ],
  ])('is the same as with known inputs, for %s', async (_, type, make) => {
    const early = inputsOf(await make({ dependencies: [plain] }), type);
    expect(JSON.stringify(early)).toContain('orders-files-keys');

    expect(inputsOf(await make({ dependencies: [late()] }), type)).toEqual(early);
  });

  it('takes the name of a vault as well', async () => {
    const [early, after] = [
      await withImage({ delivery: 'environment', vault: vault('kv-a') }),
      await withImage({ delivery: 'environment', vault: vault(pulumi.output('kv-a')) }),
    ];

    expect(classOf(after)).toEqual(classOf(early));
  });
});

describe('a workload', () => {
  it('does not depend on the order of its variables, which name no other vault', async () => {
    const withVariables = async (env: Record<string, string>) =>
      inputsOf(await withImage({ image: { reference: 'reader:1', env } }), deployment);
    const sorted = await withVariables({ Z: '1', A: '2', KEY_VAULT_URI: 'https://other/' });

    expect(await withVariables({ A: '2', Z: '1' })).toEqual(sorted);
    expect(JSON.stringify(sorted)).not.toContain('https://other/');
  });

  it('names a Kubernetes secret by its content, in any order', async () => {
    const nameOf = async (...names: string[]) =>
      classOf(await delivered('environment', ...names)).secretObjects[0]?.secretName;
    const name = await nameOf('shared', 'orders-db');

    expect(name).toMatch(/^orders-secrets-[0-9a-f]{8}$/);
    expect(await nameOf('orders-db', 'shared')).toBe(name);
    expect(await nameOf('orders-db')).not.toBe(name);
  });

  it('replaces the pods for another list of files', async () => {
    const podsOf = async (...names: string[]) => inputsOf(await delivered('files', ...names), deployment);

    expect(await podsOf('a', 'b')).not.toEqual(await podsOf('a'));
  });

  it('writes the objects as the driver reads them: a list of YAML strings in a YAML string', async () => {
    const { array } = parse(classOf(await delivered('files', '007', 'no')).parameters.objects) as {
      array: string[];
    };

    expect(array.map((text) => parse(text) as unknown)).toEqual([
      { objectName: '007', objectType: 'secret' },
      { objectName: 'no', objectType: 'secret' },
    ]);
  });
});
