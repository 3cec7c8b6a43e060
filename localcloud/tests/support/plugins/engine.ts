import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import * as automation from '@pulumi/pulumi/automation';
import { languageHostVariables, openToolchain } from '../../../toolchain';
import type { TestCloud } from '../azure';
import { installPlugin, type PluginName } from './pluginProcess';
import { locateInstance } from '../../../daemon/instance';

/** The real engine with plugins, connected to a local Azure, with its state in a folder. */
export async function openEngine(
  cloud: TestCloud,
  plugins: readonly PluginName[] = ['azure-native'],
): Promise<{ settings: automation.LocalWorkspaceOptions; backend: string }> {
  const home = path.join(cloud.stateDir, 'pulumi-home');
  for (const plugin of plugins) installPlugin(home, plugin);
  const backend = path.join(cloud.stateDir, 'backend');
  mkdirSync(backend);
  const projectRoot = path.resolve(__dirname, '../../../..');
  const toolchain = openToolchain({ projectRoot, cacheDir: locateInstance(projectRoot).cacheDir });
  const pulumiBinary = await toolchain.require('pulumi');
  // The Automation API expects a folder `bin`.
  const root = path.join(cloud.stateDir, 'pulumi');
  mkdirSync(root);
  symlinkSync(path.dirname(pulumiBinary), path.join(root, 'bin'));
  const settings = {
    pulumiHome: home,
    pulumiCommand: await automation.PulumiCommand.get({ root }),
    envVars: {
      ...definedOnly(cloud.environment),
      PATH: `${path.dirname(pulumiBinary)}:${process.env['PATH'] ?? ''}`,
      ...languageHostVariables(projectRoot),
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: 'for this test only',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
    },
  };
  return { settings, backend };
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
