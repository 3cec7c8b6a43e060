import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { Miss, until } from '../../../localcloud/tests/support/kubernetes/client';
import { requireTool } from '../../../localcloud/tests/support/kubernetes/runtime';
import { projectRoot, runProcess } from '../../support/command';
import { succeedIn } from '../../support/installed';
import type { LocalCloud } from '../../support/localCloud';

const reader = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const owner = '8e3af657-a8ff-443c-a75c-2fe8c4bcb635';
const group = { group: 'jobset.x-k8s.io', version: 'v1alpha2', plural: 'jobsets' };
const namespace = 'fleet';

/** A cluster of the local cloud that rolls out JobSets, in the namespace `fleet`. */
export class ManagementCluster {
  readonly name = 'aks-management';

  constructor(private readonly cloud: LocalCloud) {}

  /**
   * Creates the cluster with JobSet, the namespace of the example, and identities in the group of a fleet: `id-fleet`, which
   * owns the group, reads the subscription, and trusts the service account of the example, and further ones.
   * @returns id of the group, and the ids of each identity
   */
  async create(resourceGroup: string, ...identities: string[]) {
    const azure = await this.cloud.azure();
    const { resourceGroups } = azure.resources();
    const location = 'westeurope';
    const { id: scope = '' } = await resourceGroups.createOrUpdate(resourceGroup, { location });
    await resourceGroups.createOrUpdate('rg-management', { location });
    const cluster = await azure.clusters().managedClusters.createOrUpdate('rg-management', this.name, {
      ...{ location, dnsPrefix: this.name, identity: { type: 'SystemAssigned' } },
      agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D4ds_v5' }],
      ...{ oidcIssuerProfile: { enabled: true }, securityProfile: { workloadIdentity: { enabled: true } } },
    });
    const { userAssignedIdentities, federatedIdentityCredentials } = azure.identities();
    const created = new Map<string, { id: string; clientId: string; principalId: string }>();
    for (const name of ['id-fleet', ...identities]) {
      const {
        id = '',
        clientId = '',
        principalId = '',
      } = await userAssignedIdentities.createOrUpdate(resourceGroup, name, { location });
      created.set(name, { id, clientId, principalId });
    }
    const { principalId = '', clientId = '' } = created.get('id-fleet') ?? {};
    await this.assign(principalId, scope, owner);
    // The verification looks for grants of others.
    await this.assign(principalId, `/subscriptions/${azure.subscriptionId}`, reader);
    await federatedIdentityCredentials.createOrUpdate(resourceGroup, 'id-fleet', 'fleet', {
      issuer: cluster.oidcIssuerProfile?.issuerURL ?? '',
      subject: `system:serviceaccount:${namespace}:fleet`,
      audiences: ['api://AzureADTokenExchange'],
    });
    await this.install();
    const example = readFileSync(path.join(projectRoot, 'examples/fleet/namespace.yaml'), 'utf8');
    const filled = example.replace('22222222-2222-4222-8222-222222222222', clientId);
    await this.apply(...parseAllDocuments(filled).map((document) => document.toJS() as object));
    return { scope, identities: created };
  }

  /** Assigns a role, and returns the id of the assignment. */
  async assign(principalId: string, scope: string, role: string): Promise<string> {
    return (await this.cloud.azure()).grant(scope, role, principalId);
  }

  async removeRole(assignment: string): Promise<void> {
    await (await this.cloud.azure()).authorization().roleAssignments.deleteById(assignment);
  }

  private async install(): Promise<void> {
    const chart = path.join(this.cloud.state, 'charts', 'jobset.tgz');
    const where = ['--namespace', 'jobset-system', '--create-namespace', '--wait'];
    const env = { KUBECONFIG: await this.kubeconfig(), HOME: this.cloud.state };
    await succeedIn(projectRoot, await requireTool('helm'), ['install', 'jobset', chart, ...where], env);
  }

  async clients() {
    const clients = await this.cloud.kubernetes(this.name);
    const { BatchV1Api } = await import('@kubernetes/client-node');
    return { ...clients, batch: clients.config.makeApiClient(BatchV1Api) };
  }

  /** Port of its API server, which is in the command line of that. */
  async port(): Promise<string> {
    const { config } = await this.clients();
    return new URL(config.getCurrentCluster()?.server ?? '').port;
  }

  async apply(...objects: object[]): Promise<void> {
    const { objects: api } = await this.clients();
    for (const object of objects) await api.create(object);
  }

  async start(jobSet: object): Promise<void> {
    const { custom } = await this.clients();
    await custom.createNamespacedCustomObject({ ...group, namespace, body: jobSet });
  }

  /** Runs `fleet status` of the environment `fleet` with its JobSet, in a project's folder. */
  async status(project: string, env: Readonly<Record<string, string>>) {
    const { config } = await this.clients();
    const context = ['--jobset-context', config.getCurrentContext()];
    const args = ['cli/bin.mjs', 'fleet', 'status', '--stack', 'fleet', '--json', ...context];
    const variables = { ...env, KUBECONFIG: await this.kubeconfig() };
    return runProcess(process.execPath, args, variables, { cwd: project });
  }

  private async kubeconfig(): Promise<string> {
    return (await this.cloud.succeed('cloud', 'kubeconfig', this.name)).trim();
  }

  async suspend(name: string, value: boolean): Promise<void> {
    await this.patch(name, '/spec/suspend', value);
  }

  /** Sets a field of a JobSet, by its JSON pointer. */
  async patch(name: string, path: string, value: unknown): Promise<void> {
    const { custom } = await this.clients();
    const body = [{ op: 'add', path, value }];
    await custom.patchNamespacedCustomObject({ ...group, namespace, name, body });
  }

  /** Deletes a JobSet, and waits until it and its Jobs and pods are gone. */
  async remove(name: string): Promise<void> {
    const { custom } = await this.clients();
    await custom.deleteNamespacedCustomObject({
      ...{ ...group, namespace, name },
      body: { propagationPolicy: 'Foreground' },
    });
    await until(`the end of ${name}`, async () => {
      const { items } = (await custom.listNamespacedCustomObject({ ...group, namespace })) as {
        items: { metadata: { name: string } }[];
      };
      return items.every(({ metadata }) => metadata.name !== name) || new Miss('it is there');
    });
  }

  /**
   * Waits for the end of a JobSet. If it is another one, throws an error with the ends of the logs of its pods.
   * @param seconds how long it may take
   */
  async ends(name: string, state: 'Completed' | 'Failed', seconds = 60): Promise<void> {
    const { core, custom } = await this.clients();
    const found = await until(
      `the end of ${name}`,
      async () => {
        const { status } = (await custom.getNamespacedCustomObject({ ...group, namespace, name })) as {
          status?: { terminalState?: string };
        };
        return status?.terminalState ?? new Miss(JSON.stringify(status));
      },
      seconds * 1000,
    ).catch(String);
    if (found === state) return;
    const labelSelector = `jobset.sigs.k8s.io/jobset-name=${name}`;
    const { items } = await core.listNamespacedPod({ namespace, labelSelector });
    const logs = items.map(async ({ metadata }) => {
      const pod = metadata?.name ?? '';
      const log = await core.readNamespacedPodLog({ namespace, name: pod }).catch(String);
      return `--- ${pod}\n${log.slice(-2000)}`;
    });
    throw new Error(`${name} did not end as ${state}: ${found}\n${(await Promise.all(logs)).join('\n')}`);
  }

  /** Status of the Jobs of a JobSet, by name. */
  async jobs(name: string) {
    const { batch } = await this.clients();
    const labelSelector = `jobset.sigs.k8s.io/jobset-name=${name}`;
    const { items } = await batch.listNamespacedJob({ namespace, labelSelector });
    return Object.fromEntries(items.map(({ metadata, status }) => [metadata?.name ?? '', status]));
  }

  /** Pods of a Job, the first that ended first, with their logs. */
  async pods(job: string, index = 0) {
    const { core } = await this.clients();
    const labelSelector = `batch.kubernetes.io/job-name=${job},batch.kubernetes.io/job-completion-index=${index}`;
    const { items } = await core.listNamespacedPod({ namespace, labelSelector });
    const pods = await Promise.all(
      items.map(async ({ metadata, status }) => {
        const { terminated } = status?.containerStatuses?.[0]?.state ?? {};
        const log = await core.readNamespacedPodLog({ namespace, name: metadata?.name ?? '' });
        return { code: terminated?.exitCode, at: terminated?.finishedAt?.getTime() ?? Infinity, log };
      }),
    );
    return pods.sort((one, other) => one.at - other.at);
  }
}
