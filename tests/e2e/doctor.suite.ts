import { Miss, until } from '../../localcloud/tests/support/kubernetes/client';
import { all } from '../support/azureClients';
import type { LocalCloud } from '../support/localCloud';

interface Report {
  readonly findings: readonly { check: string; state: string; detail: string; hint?: string }[];
  readonly failed: number;
}

/** Faults in a deployed stack, and what the doctor says of each. The example is deployed. */
export function doctorSuite(cloud: LocalCloud): void {
  async function examined(): Promise<Report & { code: number }> {
    const { code, stdout } = await cloud.command('doctor', '--stack', 'local', '--json');
    return { code, ...(JSON.parse(stdout) as Report) };
  }
  const failedOf = ({ findings }: Report) => findings.filter(({ state }) => state === 'failed');

  it('finds nothing failed in what is deployed', async () => {
    const report = await examined();
    expect(failedOf(report)).toEqual([]);
    expect(report).toMatchObject({ code: 0, failed: 0 });
    expect(report.findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        ...[
          'Pulumi backend',
          'stack file',
          'sign-in',
          'Entra and the clock',
          'resource providers',
          'rights to deploy',
        ],
        ...['quota of role assignments', 'quota of federated credentials'],
        ...['aks-1: issuer', 'aks-1: tokens', 'aks-1: webhook', 'aks-2/reports: token exchange'],
      ]),
    );
    expect(report.findings.find(({ check }) => check === 'aks-1: webhook')).toMatchObject({ state: 'ok' });
  });

  it('names a cluster whose webhook has no pod', async () => {
    const { objects } = await cloud.kubernetes('aks-1');
    const scaled = async (replicas: number) => {
      const name = { name: 'azure-wi-webhook-controller-manager', namespace: 'kube-system' };
      await objects.patch({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: name, spec: { replicas } });
    };
    const becomes = (state: string) =>
      until(`the webhook is ${state}`, async () => {
        const found = (await examined()).findings.find(({ check }) => check === 'aks-1: webhook');
        return found?.state === state ? state : new Miss(JSON.stringify(found));
      });
    await scaled(0);
    const without = await becomes('failed');
    await scaled(1);

    expect([without, await becomes('ok')]).toEqual(['failed', 'ok']);
  });

  it('names an application whose federated credential is gone, with the hint for the code', async () => {
    const { workloads } = await cloud.outputs();
    const identity = workloads.find(({ application }) => application === 'reports')?.identity;
    const [, , , , group = ''] = identity?.id.split('/') ?? [];
    const { federatedIdentityCredentials: credentials } = (await cloud.azure()).identities();
    const name = identity?.name ?? '';
    const [before] = await all(credentials.list(group, name));
    await credentials.delete(group, name, before?.name ?? '');
    const report = await examined();
    await credentials.createOrUpdate(group, name, before?.name ?? '', before ?? {});

    expect(failedOf(report)).toMatchObject([
      {
        check: 'aks-2/reports: token exchange',
        hint: expect.stringContaining('wait some minutes') as string,
      },
    ]);
  });

  it('explains a code without a stack', async () => {
    expect(await cloud.succeed('doctor', 'AADSTS700213')).toContain("has the token's subject");
  });
}
