import type { Finished } from '../support/command';
import type { LocalCloud } from '../support/localCloud';
import { readStatus, signInAs, workloadOf } from './support/workloads';

const systems = ['gitHub', 'devOps'] as const;
/** What a person enters. */
const entered = {
  STACK: 'dev',
  APPLICATION: 'orders',
  SECRET: 'payment-key',
  DURATION: '30m',
  REASON: 'a b',
};
const window = `
      identity: application
      accessWindows: [{ secrets: [${entered.SECRET}], onDemand: 4h }]`;

/** The pipeline that a person starts for access on demand. The approval before it is the system's. */
export function grantsSuite({
  cloud,
  run,
  deployAsPerson,
}: {
  readonly cloud: LocalCloud;
  readonly run: (
    system: (typeof systems)[number],
    variables: Readonly<Record<string, string>>,
  ) => Promise<Finished>;
  readonly deployAsPerson: (change: (text: string) => string, secret: string) => Promise<void>;
}): void {
  /** Returns the status of a read as the application. */
  async function read(): Promise<number> {
    const azure = await cloud.azure();
    const { identity, namespace, serviceAccount } = await workloadOf(cloud, 'dev', 'orders');
    const account = { cluster: 'aks-dev', namespace, serviceAccount };
    const credential = await signInAs(cloud, azure, identity.clientId, account);
    return readStatus(azure, credential, { vault: 'kv-pipelines-dev', secret: entered.SECRET });
  }

  describe('access on demand, started by hand', () => {
    it.each(systems)(
      '%s asks the stack whether it is allowed, as an identity that only grants',
      async (system) => {
        const { code, stderr } = await run(system, entered);

        expect(code).toBe(1);
        expect(stderr).toContain('no secret that orders may read on demand "payment-key". It has: none.');
      },
    );

    it('is for a window that a person has deployed', async () => {
      await deployAsPerson((text) => text.replace(/\n {6}replicas: 1/, `$&${window}`), entered.SECRET);

      expect(await read()).toBe(403);
    });

    it.each(systems)('%s opens the window', async (system) => {
      const { code, stdout, stderr } = await run(system, entered);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const [, end = ''] =
        /may read payment-key until .* to end it earlier: .*--ids (\S+)/.exec(stdout) ?? [];
      expect(await read()).toBe(200);
      await (await cloud.azure()).authorization().roleAssignments.deleteById(end);
      expect(await read()).toBe(403);
    });
  });
}
