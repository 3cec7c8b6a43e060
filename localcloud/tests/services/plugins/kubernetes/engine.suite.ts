import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as kubernetes from '@pulumi/kubernetes';
import { version } from '@pulumi/kubernetes/package.json';
import * as automation from '@pulumi/pulumi/automation';
import { Connection } from '../../../../plugins/kubernetes/client/connection';
import { stringsAt } from '../../../../plugins/kubernetes/json';
import { requireTool } from '../../../support/kubernetes/runtime';
import { pluginBundle } from './support/plugin';
import type { PluginCluster } from './support/pluginCluster';
import { languageHostVariables } from '../../../../toolchain';

const projectRoot = path.resolve(__dirname, '../../../../..');
const namespace = 'engine';
const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;

/**
 * Proves with the real engine and the real npm package what the protocol alone cannot: how the engine handles
 * the results of a read, and that a patch needs only the official plugin's options.
 */
export function engineSuite(cluster: PluginCluster): void {
  let folder: string;
  let api: Connection;
  let settings: automation.LocalWorkspaceOptions;

  beforeAll(async () => {
    folder = cluster.folder(namespace);
    const home = path.join(folder, 'pulumi-home');
    const plugin = path.join(home, 'plugins', `resource-kubernetes-v${version}`);
    mkdirSync(plugin, { recursive: true });
    const start = path.join(plugin, 'pulumi-resource-kubernetes');
    writeFileSync(start, `#!/bin/sh\nexec "${process.execPath}" "${pluginBundle}" "$@"\n`);
    chmodSync(start, 0o755);
    const pulumi = await requireTool('pulumi');
    // The Automation API expects a folder `bin`.
    const root = path.join(folder, 'pulumi');
    mkdirSync(root);
    symlinkSync(path.dirname(pulumi), path.join(root, 'bin'));
    mkdirSync(path.join(folder, 'backend'));
    settings = {
      pulumiHome: home,
      pulumiCommand: await automation.PulumiCommand.get({ root }),
      envVars: {
        PATH: `${path.dirname(pulumi)}:${process.env['PATH'] ?? ''}`,
        ...languageHostVariables(projectRoot),
        PULUMI_BACKEND_URL: `file://${path.join(folder, 'backend')}`,
        PULUMI_CONFIG_PASSPHRASE: 'for this test only',
        PULUMI_SKIP_UPDATE_CHECK: 'true',
      },
    };
    await cluster.namespace(namespace);
    api = await Connection.open(cluster.kubeconfig, {}, 30);
    await api.request({ method: 'POST', path: accounts, body: { metadata: { name: 'existing' } } });
  });

  /** Uses an existing service account: reads it, and sets one annotation on it. */
  function adopting(name: string, clientId: string): automation.PulumiFn {
    return () => {
      const provider = new kubernetes.Provider('cluster', { kubeconfig: cluster.kubeconfig });
      const found = kubernetes.core.v1.Namespace.get('namespace', namespace, { provider });
      const account = kubernetes.core.v1.ServiceAccount.get('account', `${namespace}/${name}`, { provider });
      const metadata = { name, namespace, annotations: { 'client-id': clientId } };
      new kubernetes.core.v1.ServiceAccountPatch('patch', { metadata }, { provider, dependsOn: account });
      return Promise.resolve({ phase: found.status.phase });
    };
  }

  const stackOf = (stackName: string, program: automation.PulumiFn) =>
    automation.LocalWorkspace.createOrSelectStack(
      { stackName, projectName: 'kubernetes-engine', program },
      settings,
    );
  const annotations = async () =>
    stringsAt(await api.request({ method: 'GET', path: `${accounts}/existing` }), 'metadata', 'annotations');

  it('uses an existing object by a get and a patch, is stable, changes it, and keeps it', async () => {
    const stack = await stackOf('adopt', adopting('existing', 'one'));

    const first = await stack.up();
    expect(first.outputs['phase']?.value).toBe('Active');
    expect(await annotations()).toEqual({ 'client-id': 'one' });
    const second = await stack.up();
    // The annotation was set after the account's first read.
    expect(second.summary.resourceChanges).toEqual({ read: 1, same: 3 });
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: 3 });
    const refreshed = await stack.refresh();
    expect(Object.keys(refreshed.summary.resourceChanges ?? {}).sort()).toEqual(['same']);

    stack.workspace.program = adopting('existing', 'two');
    expect((await stack.up()).summary.resourceChanges).toMatchObject({ update: 1 });
    expect(await annotations()).toEqual({ 'client-id': 'two' });

    await stack.destroy();
    expect(await annotations()).toEqual({});
  }, 180_000);

  it('names a missing object of a get', async () => {
    // In a process of its own, because a program whose engine stops responding ends its process.
    const workDir = path.join(folder, 'missing');
    mkdirSync(workDir);
    symlinkSync(path.join(projectRoot, 'node_modules'), path.join(workDir, 'node_modules'));
    writeFileSync(path.join(workDir, 'Pulumi.yaml'), 'name: missing\nruntime: nodejs\nmain: index.js\n');
    writeFileSync(path.join(workDir, 'package.json'), '{ "name": "missing" }');
    writeFileSync(path.join(workDir, 'index.js'), missingProgram);
    const stack = await automation.LocalWorkspace.createStack(
      { stackName: 'test', workDir },
      { ...settings, envVars: { ...settings.envVars, TEST_KUBECONFIG: cluster.kubeconfig } },
    );

    await expect(stack.up()).rejects.toThrow(/default\/nobody.*does not exist/s);
  }, 120_000);
}

const missingProgram = `
const kubernetes = require('@pulumi/kubernetes');
const provider = new kubernetes.Provider('cluster', { kubeconfig: process.env.TEST_KUBECONFIG });
kubernetes.core.v1.ServiceAccount.get('account', 'default/nobody', { provider });
`;
