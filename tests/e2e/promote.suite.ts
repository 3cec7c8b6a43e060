import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { projectRoot, runCommand, type Finished } from '../support/command';
import type { LocalCloud } from '../support/localCloud';
import { theirCluster, withoutCharts } from './neighbours';

const releases = `# The releases of orders.
name: orders
environments:
  dev: '0.2.0' # on trial
  prod: '0.1.0'
releases:
  '0.1.0':
    image: ghcr.io/aks-workload-identity/reader:0.1.0
    secrets: [orders-db]
  '0.2.0':
    image: ghcr.io/aks-workload-identity/reader:0.1.0
    secrets: [orders-db, orders-key]
`;

function stackFile(stack: string, subscriptionId: string, release: string): string {
  const settings = {
    location: 'westeurope',
    resourceGroup: `rg-promote-${stack}`,
    protect: false,
    retainOnDelete: false,
    policies: { production: false },
    vault: {
      name: `kv-promote-${stack}`,
      publicAccess: true,
      softDeleteRetentionInDays: 7,
      purgeProtection: false,
    },
    clusters: [theirCluster(subscriptionId, 'aks-1')],
    // In a namespace of its own, because others use the cluster.
    applications: [{ name: 'orders', namespace: 'promoted', release, replicas: 1 }],
  };
  const own = Object.entries(settings).map(([key, value]) => [`aks-workload-identity:${key}`, value]);
  return stringify({ config: { ...(Object.fromEntries(own) as object), ...withoutCharts() } });
}

/**
 * A release is promoted from one environment to the next, only if it is deployed and verified. It does not
 * prove that the other environment can deploy it.
 */
export function promoteSuite(cloud: LocalCloud): void {
  /** A project folder of its own, because its release files are written. */
  const project = path.join(cloud.state, 'project');
  const releaseFile = path.join(project, 'applications', 'orders.yaml');
  let dev: { stack: string; yaml: string };

  const promote = (...args: string[]): Promise<Finished> =>
    runCommand(['promote', '--from', 'dev', '--to', 'prod', '--yes', ...args], {
      state: cloud.state,
      cwd: project,
    });

  beforeAll(async () => {
    const { subscriptionId } = await cloud.azure();
    // The deployed stack file: paths are relative to the program, and `./.state` is the state folder.
    dev = {
      stack: 'dev',
      yaml: stackFile('dev', subscriptionId, './.state/project/applications/orders.yaml'),
    };
    mkdirSync(path.dirname(releaseFile), { recursive: true });
    copyFileSync(path.join(projectRoot, 'Pulumi.yaml'), path.join(project, 'Pulumi.yaml'));
    for (const stack of ['dev', 'prod']) {
      writeFileSync(
        path.join(project, `Pulumi.${stack}.yaml`),
        stackFile(stack, subscriptionId, './applications/orders.yaml'),
      );
    }
    writeFileSync(releaseFile, releases);
  });

  it('is deployed to dev, and in its outputs', async () => {
    await cloud.deploy(dev);

    const { workloads } = await cloud.outputs('dev');
    expect(workloads.map(({ application, version }) => [application, version])).toEqual([
      ['orders', '0.2.0'],
    ]);
  });

  it('is shown as the change for prod; nothing is written', async () => {
    const { code, stdout, stderr } = await promote('--dry-run');

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Nothing was written (--dry-run).') as string,
    });
    expect(stdout).toContain("-  prod: '0.1.0'\n+  prod: '0.2.0'\n");
    expect(readFileSync(releaseFile, 'utf8')).toBe(releases);
  });

  it('is refused while dev has not deployed it', async () => {
    const next = releases.replace("dev: '0.2.0'", "dev: '0.1.0'").replace("prod: '0.1.0'", "prod: '0.2.0'");
    writeFileSync(releaseFile, next);
    const { code, stdout, stderr } = await promote();
    writeFileSync(releaseFile, releases);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'The stack file of dev has orders 0.1.0, but the stack runs 0.2.0 on aks-1. Nothing was written.',
    );
  });

  it('is refused while the verification of dev does not pass', async () => {
    const azure = await cloud.azure();
    const { vaults } = await cloud.outputs('dev');
    const scope = `${vaults['kv-promote-dev']?.id ?? ''}/secrets/orders-key`;
    const { roleAssignments } = azure.authorization();
    for await (const { id, scope: of } of roleAssignments.listForScope(scope)) {
      if (of?.toLowerCase() === scope.toLowerCase()) await roleAssignments.deleteById(id ?? '');
    }
    const { code, stdout, stderr } = await promote();

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/The verification of dev failed: \d+ of \d+ checks failed; nothing was written\./);
    expect(stderr).toContain('orders-key');
    expect(readFileSync(releaseFile, 'utf8')).toBe(releases);
    await cloud.pulumi(dev, 'up', '--yes', '--skip-preview', '--refresh');
  });

  it('is pinned for prod once it passes: one line, with comments kept', async () => {
    const { code, stderr } = await promote('--application', 'orders');

    expect(stderr).toContain('prod: orders 0.1.0 → 0.2.0');
    expect(code).toBe(0);
    expect(readFileSync(releaseFile, 'utf8')).toBe(releases.replace("prod: '0.1.0'", "prod: '0.2.0'"));
    const validated = await runCommand(['validate', '--stack', 'prod'], { state: cloud.state, cwd: project });
    expect(validated.stdout).toContain('1 application: orders 0.2.0');
  });

  it('is not promoted twice', async () => {
    const { code, stdout, stderr } = await promote();
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('prod already has the releases of dev: orders 0.2.0.');
  });
}
