import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Secret, unknown, type Properties } from '../../../../plugins/protocol';
import { textAt } from '../../../../plugins/resources/propertyPath';
import { withCloud } from '../../../support/azure';
import { partialFailure } from '../../../support/plugins/partialFailure';
import { installPlugin, PluginProcess, startPlugin } from '../../../support/plugins/pluginProcess';

// Proves how the plugin behaves as a process: previews, refused credentials, partial failures, cancellation,
// its end.
const group = 'azure-native:resources:ResourceGroup';
const cluster = 'azure-native:containerservice:ManagedCluster';
const identity = 'azure-native:managedidentity:UserAssignedIdentity';
const binding = 'azure-native:containerservice:IdentityBinding';

const cloud = withCloud({ groups: [] });
let executable: string;
let plugin: PluginProcess;
let groupName: string;

beforeAll(async () => {
  executable = installPlugin(cloud.stateDir);
  plugin = await startPlugin(cloud);
  const { inputs } = await plugin.check(group, { location: 'westeurope' });
  groupName = textAt((await plugin.create(group, inputs)).state, 'name');
}, 60_000);

function clusterInputs(): Properties {
  return {
    resourceGroupName: groupName,
    resourceName: `aks-${randomUUID().slice(0, 8)}`,
    dnsPrefix: 'aks',
    identity: { type: 'SystemAssigned' },
    oidcIssuerProfile: { enabled: true },
    agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
  };
}

describe('the process', () => {
  it('previews without a request, with the issuer unknown', async () => {
    const { inputs } = await plugin.check(cluster, {
      resourceGroupName: unknown,
      oidcIssuerProfile: { enabled: true },
    });
    const { state } = await plugin.create(cluster, inputs, true);
    expect(state).toMatchObject({
      location: unknown,
      oidcIssuerProfile: { enabled: true, issuerURL: unknown },
    });
  });

  it('refuses a wrong secret with Entra’s own words', async () => {
    const other = await PluginProcess.start(executable, cloud.environment);
    await other.configure({ clientSecret: new Secret('wrong') });
    await expect(other.read(group, `/subscriptions/s/resourceGroups/rg`)).rejects.toThrow(/AADSTS7000215/);
    await other.stop();
  });

  it('records a cluster whose control plane does not start', async () => {
    cloud.runtime.failure = 'no memory left';
    const { inputs } = await plugin.check(cluster, clusterInputs());

    const failure = await plugin.create(cluster, inputs).catch((error: unknown) => error);
    cloud.runtime.failure = undefined;

    expect(partialFailure(failure)?.state).toMatchObject({ provisioningState: 'Failed' });
    expect(String(failure)).toContain('no memory left');
  }, 30_000);

  it('records an identity binding that AKS failed to create, and the next update completes it', async () => {
    // given an identity whose credential another cluster is writing
    const make = async (type: string, inputs: Properties) =>
      plugin.create(type, (await plugin.check(type, inputs)).inputs);
    const parent = await make(cluster, clusterInputs());
    const owner = await make(identity, { resourceGroupName: groupName });
    cloud.azure.control.faults.failProvisioning({
      resource: /identityBindings\/raced$/,
      code: 'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
      message: 'of another cluster',
      times: 1,
    });
    const { inputs } = await plugin.check(binding, {
      resourceGroupName: groupName,
      resourceName: textAt(parent.state, 'name'),
      identityBindingName: 'raced',
      properties: { managedIdentity: { resourceId: owner.id } },
    });

    // when it is created
    const failure = await plugin.create(binding, inputs).catch((error: unknown) => error);
    const recorded = partialFailure(failure);
    expect(String(failure)).toContain('of another cluster');
    expect(recorded?.state).toMatchObject({ properties: { provisioningState: 'Failed' } });

    // then an update with the same inputs completes it
    const { id = '', state = {} } = recorded ?? {};
    const completed = await plugin.update(binding, id, state, inputs, inputs);
    expect(completed).toMatchObject({ properties: { provisioningState: 'Succeeded' } });
  }, 30_000);

  it('stops an operation on Cancel, records what was accepted, and ends with the engine', async () => {
    // given a cluster that takes long to start
    const other = await PluginProcess.start(executable, cloud.environment);
    await other.configure({});
    const { inputs } = await other.check(cluster, clusterInputs());
    let open: () => void = () => undefined;
    cloud.runtime.gate = new Promise((resolve) => (open = resolve));
    const before = cloud.runtime.ensured.length;
    const creating = other.create(cluster, inputs).catch((error: unknown) => error);
    while (cloud.runtime.ensured.length === before) await new Promise((resolve) => setTimeout(resolve, 20));

    // when the engine cancels
    await other.cancel();
    const failure = await creating;
    open();
    cloud.runtime.gate = Promise.resolve();

    // then the operation ends with the existing state, and the process ends too
    expect(partialFailure(failure)?.state).toMatchObject({ provisioningState: 'Creating' });
    expect(await other.stop()).toBe(0);
  }, 30_000);

  it('ends when the engine was killed', async () => {
    // given a plugin whose parent is a shell
    const shell = spawn('sh', ['-c', `"${executable}" & echo pid=$!; wait`], { env: cloud.environment });
    let output = '';
    shell.stdout.on('data', (data: Buffer) => (output += data.toString()));
    while (!/pid=\d+/.test(output) || !/^\d+$/m.test(output))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const pid = Number(/pid=(\d+)/.exec(output)?.[1]);

    // when the shell is killed, then the plugin ends
    shell.kill('SIGKILL');
    for (let waited = 0; isRunning(pid) && waited < 100; waited++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(isRunning(pid)).toBe(false);
  }, 30_000);
});

function isRunning(pid: number): boolean {
  try {
    // kill(2) counts a zombie as running, /proc does not.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
