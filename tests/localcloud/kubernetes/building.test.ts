import path from 'node:path';
import type { Client } from './support/client';
import { connect, isReady, podWhen, until, Miss } from './support/client';
import { programPod } from './support/pods';
import type { TestRuntime } from './support/runtime';
import { clusterSpec, openRuntime, startTimeout } from './support/runtime';

const spec = clusterSpec();
const image = 'registry.test/tests/slow';

describe('a pod whose program is still being built', () => {
  let test: TestRuntime;
  let client: Client;
  let built: () => void = () => undefined;

  beforeAll(async () => {
    const there = new Promise<void>((resolve) => (built = resolve));
    let isThere = false;
    void there.then(() => (isThere = true));
    test = openRuntime({
      images: {
        [image]: {
          command: async () => {
            await there;
            return [process.execPath, path.join(__dirname, 'support', 'program.mjs')];
          },
          progress: () => (isThere ? undefined : 'slow is being built: compiling, 3 packages'),
          ports: [8080],
          env: ({ port }) => ({ PORT: String(port(8080)) }),
        },
      },
    });
    await test.runtime.ensure(spec);
    client = await connect(test.runtime, spec.id);
  }, startTimeout);
  afterAll(() => test.dispose());

  const make = (name: string) =>
    client.core.createNamespacedPod({
      namespace: 'default',
      body: programPod(name, { image: `${image}:1` }),
    });
  const waits = (name: string) =>
    podWhen(client, name, ({ status }) => {
      return status?.containerStatuses?.[0]?.state?.waiting?.reason === 'BuildingProgram';
    });

  it('is pending, says why and how far it is, and records it as an event', async () => {
    await make('slow');

    const { status } = await waits('slow');

    expect(status?.phase).toBe('Pending');
    expect(status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
      'slow is being built: compiling, 3 packages',
    );
    const event = await until('the event', async () => {
      const { items } = await client.core.listNamespacedEvent({ namespace: 'default' });
      const found = items.find(({ reason }) => reason === 'BuildingProgram');
      return found ?? new Miss(items.map(({ reason }) => reason).join());
    });
    expect(event).toMatchObject({ type: 'Normal', involvedObject: { name: 'slow' } });
    expect(event.message).toContain(`${image}:1`);
  });

  it('can be deleted meanwhile, without waiting for the build', async () => {
    await make('given-up');
    await waits('given-up');

    await client.core.deleteNamespacedPod({ name: 'given-up', namespace: 'default' });

    await until('the pod is gone', async () => {
      const { items } = await client.core.listNamespacedPod({ namespace: 'default' });
      return items.every(({ metadata }) => metadata?.name !== 'given-up') || new Miss('it is there');
    });
  });

  it('starts as soon as the program is there', async () => {
    built();

    const { status } = await podWhen(client, 'slow', isReady);

    expect(status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });
});
