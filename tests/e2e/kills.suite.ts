import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { all } from '../support/azureClients';
import { projectRoot, type Finished } from '../support/command';
import type { LocalCloud } from '../support/localCloud';
import { processesOf } from '../support/processes';
import { theirCluster, withoutCharts } from './neighbours';

const stack = 'killed';
const group = 'rg-killed';

interface Exported {
  deployment: {
    resources: { urn: string; type: string; id?: string }[];
    pending_operations?: unknown[];
  };
}

/**
 * What is killed in the middle of an update (`kill -9`) is made up for by the next: state, local Azure and cluster
 * have the same, once. It does not prove a crash of the machine.
 */
export function killsSuite(cloud: LocalCloud): void {
  const file = path.join(cloud.state, `Pulumi.${stack}.yaml`);
  const request = { stack, file: path.relative(projectRoot, file) };

  async function configure(applications: string[]): Promise<void> {
    const { subscriptionId } = await cloud.azure();
    const settings = {
      location: 'westeurope',
      resourceGroup: group,
      retainOnDelete: false,
      identity: 'application',
      vault: {
        name: 'kv-killed',
        publicAccess: true,
        softDeleteRetentionInDays: 7,
        purgeProtection: false,
      },
      clusters: [theirCluster(subscriptionId, 'aks-k')],
      applications: applications.map((name) => ({
        ...{ name, namespace: `killed-${name}`, secrets: [`${name}-db`], replicas: 1 },
        image: 'ghcr.io/aks-workload-identity/reader:0.1.0',
      })),
    };
    const own = Object.entries(settings).map(([key, value]) => [`aks-workload-identity:${key}`, value]);
    writeFileSync(
      file,
      stringify({ config: { ...(Object.fromEntries(own) as object), ...withoutCharts() } }),
    );
  }

  async function processOf(pattern: RegExp): Promise<number> {
    const found = (await processesOf(cloud.state)).find(({ command }) => pattern.test(command));
    if (found === undefined) throw new Error(`no process of ${cloud.state} matches ${pattern}`);
    return found.pid;
  }

  /** An update that does something once the engine has begun to create a resource of this type. */
  async function updateWith(type: string, act: () => Promise<void>): Promise<Finished> {
    const events = path.join(cloud.state, 'events-of-kills.jsonl');
    rmSync(events, { force: true });
    const begun = () =>
      existsSync(events) &&
      readFileSync(events, 'utf8')
        .split('\n')
        .some(
          (line) =>
            line.includes('"resourcePreEvent"') &&
            line.includes(`"op":"create"`) &&
            line.includes(`"type":"${type}"`),
        );
    const progress = { ended: false };
    // A preview writes the same events.
    const options = ['--skip-preview', '--event-log', events];
    const update = cloud
      .command('up', '--stack', stack, '--stack-file', request.file, ...options)
      .finally(() => (progress.ended = true));
    while (!begun()) {
      if (progress.ended)
        throw new Error(`the update has created no ${type}: ${JSON.stringify(await update)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await act();
    return update;
  }

  /** Ids in the group, and objects in the namespaces, that the state has and that there are. */
  async function compare(): Promise<{ state: string[]; found: string[] }> {
    const { deployment } = JSON.parse(await cloud.pulumi({ stack }, 'stack', 'export')) as Exported;
    expect(deployment.pending_operations ?? []).toEqual([]);
    const inGroup = new RegExp(`/resourcegroups/${group}/`, 'i');
    const state = deployment.resources.flatMap(({ type, id = '' }) => {
      if (inGroup.test(id)) return [id.toLowerCase()];
      return /^kubernetes:(core\/v1:(Namespace|ServiceAccount)|apps\/v1:Deployment)$/.test(type)
        ? [`${type.split(':').at(-1) ?? ''} ${id}`]
        : [];
    });

    const azure = await cloud.azure();
    const { federatedIdentityCredentials } = azure.identities();
    const resources = await all(azure.resources().resources.listByResourceGroup(group));
    const parts = await Promise.all(
      resources.map(({ name = '', type = '' }) =>
        type.endsWith('/vaults')
          ? all(azure.vaults().secrets.list(group, name))
          : all(federatedIdentityCredentials.list(group, name)),
      ),
    );
    const assignments = await all(azure.authorization().roleAssignments.listForSubscription());
    const { core, apps } = await cloud.kubernetes('aks-vaults');
    const ours = ({ metadata }: { metadata?: { name?: string; namespace?: string } }) =>
      (metadata?.namespace ?? metadata?.name ?? '').startsWith('killed-');
    const named = (kind: string, items: { metadata?: { name?: string; namespace?: string } }[]) =>
      items
        .filter(ours)
        .map(
          ({ metadata: { namespace, name = '' } = {} }) =>
            `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
        );
    const found = [
      ...[...resources, ...parts.flat(), ...assignments]
        .map(({ id = '' }) => id)
        .filter((id) => inGroup.test(id))
        .map((id) => id.toLowerCase()),
      ...named('Namespace', (await core.listNamespace()).items),
      ...named('ServiceAccount', (await core.listServiceAccountForAllNamespaces()).items).filter(
        (account) => !account.endsWith('/default'),
      ),
      ...named('Deployment', (await apps.listDeploymentForAllNamespaces()).items),
    ];
    return { state: state.sort(), found: found.sort() };
  }

  /** The next update completes, and one after it would change nothing. */
  async function converge(applications: string[]): Promise<void> {
    const { output } = await cloud.up(request);
    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    const { state, found } = await compare();
    expect(found).toEqual(state);
    expect(state.filter((object) => object.startsWith('Deployment '))).toHaveLength(applications.length);
    // An identity, its credential, a secret and a grant each, the vault, and the cluster's identity.
    expect(state.filter((object) => object.startsWith('/'))).toHaveLength(4 * applications.length + 2);
    expect((await cloud.preview(request)).summary).toEqual([]);
  }

  it('is the engine, while which nothing is verified', async () => {
    await configure(['one']);
    let verified: Finished | undefined;
    const { code, stderr } = await updateWith('azure-native:keyvault:Vault', async () => {
      const engine = await processOf(/\/pulumi up /);
      // So that the update lasts as long as the command.
      process.kill(engine, 'SIGSTOP');
      verified = await cloud.command('verify', '--stack', stack);
      process.kill(engine, 'SIGKILL');
    });

    expect(verified?.stderr).toMatch(
      /^error: Stack killed is being updated by pulumi \(process \d+\)\.\n {2}→ Wait for it to end/m,
    );
    expect(verified?.code).toBe(1);
    expect(stderr).toContain('error: pulumi was killed (SIGKILL)');
    expect(code).toBe(1);
    await converge(['one']);
  });

  it('is the local cloud', async () => {
    await configure(['one', 'two']);
    const { code, stderr } = await updateWith(
      'azure-native:managedidentity:FederatedIdentityCredential',
      async () => {
        const run = readFileSync(path.join(cloud.state, 'local', 'run.json'), 'utf8');
        process.kill((JSON.parse(run) as { pid: number }).pid, 'SIGKILL');
        return Promise.resolve();
      },
    );

    expect(stderr).toContain('error: The local cloud stopped while pulumi was running.');
    expect(code).toBe(1);
    await converge(['one', 'two']);
  });

  it('is an API server', async () => {
    await configure(['one', 'two', 'three']);
    // It is started again at once, so that this update may succeed.
    await updateWith('kubernetes:core/v1:Namespace', async () => {
      process.kill(await processOf(/kube-apiserver /), 'SIGKILL');
    });

    await converge(['one', 'two', 'three']);
  });

  it('leaves nothing that the end does not delete', async () => {
    await cloud.destroy(request);
    const groups = (await cloud.azure()).resources().resourceGroups;
    expect(await groups.checkExistence(group)).toMatchObject({ body: false });
  });
}
