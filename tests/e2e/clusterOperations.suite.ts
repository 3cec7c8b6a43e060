import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { Miss, until } from '../../localcloud/tests/support/kubernetes/client';
import { projectRoot, runCommand, type Finished } from '../support/command';
import type { LocalCloud } from '../support/localCloud';

const group = 'rg-workload-identity-local';

/**
 * What AKS and administrators do with a cluster, through the vendor's client: upgrades, a stop and a start, a rotation of
 * certificates. The example is deployed. It does not prove an upgrade of the programs: only the resource has the new version.
 */
export function clusterOperationsSuite(cloud: LocalCloud): void {
  const clusters = async () => (await cloud.azure()).clusters().managedClusters;
  const drift = () => cloud.command('drift', '--stack', 'local');
  const update = (...args: string[]) => [
    ...['pulumi', 'up', '--yes', '--skip-preview', '--non-interactive'],
    ...args,
  ];
  const goingOn = (...args: string[]): Promise<Finished> =>
    runCommand(args, { state: cloud.state, env: { PULUMI_K8S_SKIP_UPDATE_UNREACHABLE: 'true' } });

  /** The option that changes a setting for one update. */
  const configured = (key: string, change: (all: { name: string }[]) => object[]): string[] => {
    const { config } = parse(readFileSync(path.join(projectRoot, 'Pulumi.local.yaml'), 'utf8')) as {
      config: Record<string, { name: string }[]>;
    };
    const name = `aks-workload-identity:${key}`;
    return ['--config', `${name}=${JSON.stringify(change(config[name] ?? []))}`];
  };
  const moreOrders = configured('applications', (all) =>
    all.map((application) => (application.name === 'orders' ? { ...application, replicas: 2 } : application)),
  );
  const replicasOfOrders = async (cluster: string): Promise<number | undefined> => {
    const { apps } = await cloud.kubernetes(cluster);
    return (await apps.readNamespacedDeployment({ name: 'orders', namespace: 'orders' })).spec?.replicas;
  };

  it('an upgrade as the channel makes it is no drift, and the next update leaves it', async () => {
    const client = await clusters();
    const found = await client.get(group, 'aks-1');
    expect(found.autoUpgradeProfile?.upgradeChannel).toBe('patch');
    const kubernetesVersion = '1.36.4';
    const agentPoolProfiles = found.agentPoolProfiles?.map((pool) => ({
      ...pool,
      orchestratorVersion: kubernetesVersion,
    }));
    await client.createOrUpdate(group, 'aks-1', { ...found, kubernetesVersion, agentPoolProfiles });

    expect(await drift()).toMatchObject({ code: 0, stdout: 'Stack local has no drift.\n' });
    await cloud.succeed(...update());
    expect(await client.get(group, 'aks-1')).toMatchObject({
      currentKubernetesVersion: kubernetesVersion,
      agentPoolProfiles: [{ orchestratorVersion: kubernetesVersion }],
    });
  });

  it('another size of the nodes is refused before anything is changed', async () => {
    const sized = configured('clusters', ([first, ...others]) => [
      { ...first, nodes: { vmSize: 'Standard_D8ds_v5' } },
      ...others,
    ]);
    expect(await cloud.fail(...update(...sized))).toContain(
      'aks-workload-identity:clusters[0].nodes.vmSize: "Standard_D8ds_v5" is not the node size of aks-1, "Standard_D4ds_v5"',
    );
  });

  it('a stopped cluster is named, and does not fail the update of the other', async () => {
    await (await clusters()).stop(group, 'aks-2');

    const refused = await cloud.fail(...update(...moreOrders));
    expect(refused).toContain('clusters[1].name: "aks-2" is a stopped cluster');
    expect(refused).toContain(`az aks start --name aks-2 --resource-group ${group}`);
    const { code, stdout, stderr } = await goingOn(...update(...moreOrders));
    expect(`${stdout}${stderr}`).toContain('The cluster aks-2 is stopped.');
    expect(code).toBe(0);
    expect(await replicasOfOrders('aks-1')).toBe(2);
    const reported = await drift();
    expect(reported).toMatchObject({ code: 0 });
    expect(reported.stdout).toContain('The cluster aks-2 is stopped: its contents were not compared.');
  });

  it('a cluster that was started again gets what it missed', async () => {
    await (await clusters()).start(group, 'aks-2');

    expect(await replicasOfOrders('aks-2')).toBe(1);
    await cloud.succeed(...update(...moreOrders));
    expect(await replicasOfOrders('aks-2')).toBe(2);
    expect(await drift()).toMatchObject({ code: 0, stdout: 'Stack local has no drift.\n' });
  });

  it('after a rotation of certificates, a refresh runs the program, which fetches the new ones', async () => {
    await (await clusters()).rotateClusterCertificates(group, 'aks-1');

    expect((await drift()).stdout).toContain('The cluster aks-1 does not answer');
    expect(await cloud.fail('pulumi', 'refresh', '--yes', '--non-interactive')).toMatch(/certificate/);
    await cloud.succeed('pulumi', 'refresh', '--run-program', '--yes', '--non-interactive');
    expect(await drift()).toMatchObject({ code: 0, stdout: 'Stack local has no drift.\n' });
    await cloud.succeed(...update());
    cloud.forgetKubeconfigs();
    await until('the pods of both clusters', async () => {
      const { code, report } = await cloud.verify();
      return code === 0 ? true : new Miss(JSON.stringify(report.checks.filter(({ ok }) => !ok)));
    });
  });
}
