import { mkdirSync, readFileSync, readdirSync, rmSync, existsSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { installation } from '../project';
import { writeWhole } from '../writeWhole';
import { quoted } from './quoted';

/** The program's provider packages, each with the bundle of the plugin that the local cloud runs for it. */
const plugins = [
  { name: 'azure-native', package: '@pulumi/azure-native', bundle: 'pulumi-resource-azure-native.cjs' },
  { name: 'azuread', package: '@pulumi/azuread', bundle: 'pulumi-resource-azuread.cjs' },
  { name: 'tls', package: '@pulumi/tls', bundle: 'pulumi-resource-tls.cjs' },
  { name: 'kubernetes', package: '@pulumi/kubernetes', bundle: 'pulumi-resource-kubernetes.cjs' },
];

/** Returns the installed version of each plugin's npm package, by package name. */
export function pluginVersions(projectRoot: string): Record<string, string> {
  return Object.fromEntries(
    plugins.map((plugin) => [plugin.package, packageVersion(projectRoot, plugin.package)]),
  );
}

/**
 * Installs the plugins into the local cloud's own Pulumi home, each with the exact version of its npm package,
 * so that the engine finds them without a warning.
 */
export function installPlugins(instance: Instance): void {
  const folder = path.join(instance.pulumiHome, 'plugins');
  mkdirSync(folder, { recursive: true });
  const current = plugins.map((plugin) => ({
    ...plugin,
    folder: `resource-${plugin.name}-v${packageVersion(instance.projectRoot, plugin.package)}`,
  }));
  // The engine would use a plugin of an earlier version as a fallback for a newer package.
  const names = new Set(current.map((plugin) => plugin.folder));
  for (const entry of readdirSync(folder)) {
    if (!names.has(entry)) rmSync(path.join(folder, entry), { recursive: true, force: true });
  }
  for (const plugin of current) {
    const executable = `pulumi-resource-${plugin.name}`;
    const bundle = path.join(installation, 'dist', plugin.bundle);
    writePlugin(path.join(folder, plugin.folder), executable, bundle);
  }
}

function writePlugin(folder: string, executable: string, bundle: string): void {
  const script = launcher(process.execPath, bundle);
  const file = path.join(folder, executable);
  if (existsSync(file) && readFileSync(file, 'utf8') === script) return;
  writeWhole(file, script, 0o755);
}

/** Returns the shell script that the engine starts as a plugin; exported for tests. */
export function launcher(node: string, bundle: string): string {
  return `#!/bin/sh\nexec ${quoted(node)} --enable-source-maps ${quoted(bundle)} "$@"\n`;
}

function packageVersion(projectRoot: string, name: string): string {
  const file = path.join(projectRoot, 'node_modules', name, 'package.json');
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (
    typeof content === 'object' &&
    content !== null &&
    'version' in content &&
    typeof content.version === 'string'
  ) {
    return content.version;
  }
  throw new Error(`${file} has no version`);
}
