import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolchainError } from './errors';

const operator = 'github.com/Azure/azure-service-operator/v2';

/** What of the operator's module is compiled from a copy: the packages that import all of its API groups. */
const copies = [
  { from: 'internal/controllers', to: 'controllers', file: /(?<!_test)\.go$/ },
  { from: 'cmd/controller/app', to: 'app', file: /^flags\.go$/ },
] as const;

/** API groups of which some resources are no Azure resources, and have a reconciler of their own. */
const reconcilers: Readonly<Record<string, string>> = {
  azuresql: 'sql',
  entra: 'entra',
  mysql: 'dbformysql',
  postgresql: 'dbforpostgresql',
};

/**
 * Puts together what the operator is compiled from: our main package, and beside it the vendor's package that registers
 * its controllers, with the groups that are wanted. As it is, that package imports 500 packages of 41 groups and
 * Microsoft Graph's client; with a handful of groups it takes a seventh of the processor's time, and a third of the memory to link.
 * @param options.module folder of the vendor's module, which stays as it is
 * @throws ToolchainError if the module has no such group, or its package is not of the form that it had
 */
export async function prepareOperatorSources(options: {
  ours: string;
  module: string;
  groups: readonly string[];
  into: string;
}): Promise<void> {
  const { ours, module, groups, into } = options;
  const folders = await readdir(path.join(module, 'api'), { withFileTypes: true });
  // Its resources are no Azure resources: they need Microsoft Graph, which the local cloud has nothing of.
  const known = folders.flatMap((one) => (one.isDirectory() && one.name !== 'entra' ? [one.name] : []));
  const unknown = groups.filter((group) => !known.includes(group));
  if (unknown.length > 0) {
    throw new ToolchainError(
      'invalid-pins',
      `Azure Service Operator has no API group ${unknown.join(', ')}; it has ${known.join(', ')}. ` +
        'Correct `serviceOperatorGroups` in localcloud/toolchain/tools.ts.',
    );
  }
  await mkdir(into, { recursive: true });
  for (const file of await readdir(ours)) await copyFile(path.join(ours, file), path.join(into, file));
  for (const { from, to, file } of copies) {
    await mkdir(path.join(into, to));
    for (const name of await readdir(path.join(module, from))) {
      if (!file.test(name)) continue;
      const text = await readFile(path.join(module, from, name), 'utf8');
      await writeFile(path.join(into, to, name), keepGroups(name, text, groups));
    }
  }
}

/**
 * A file of the registration without the groups that are not wanted: without their imports, the statements and fields
 * that name them, and the functions about their fields. Nearly all of it is generated, in one form, so it is read as text.
 */
export function keepGroups(file: string, text: string, groups: readonly string[]): string {
  const imports = text.matchAll(
    new RegExp(`^\\t(\\w+) "${operator}/(api|internal/reconcilers)/([^/"]+).*"\\n`, 'gm'),
  );
  const aliases = new Set<string>();
  let rest = text;
  for (const [line, alias = '', folder, name = ''] of imports) {
    const group = folder === 'api' ? name : reconcilers[name];
    if (group === undefined || groups.includes(group)) continue;
    aliases.add(alias);
    rest = rest.replace(line, '');
  }
  const namesDropped = (code: string) =>
    [...code.matchAll(/\b(\w+)\./g)].some(([, name]) => aliases.has(name ?? ''));
  const kept = rest
    .replace(/^(?:\/\/.*\n)*func index\w+\([^]*?^\}\n/gm, (declaration) =>
      namesDropped(declaration) ? '' : declaration,
    )
    // A statement or a field begins with one tab; what belongs to it is deeper, or closes it.
    .replace(/^\t[^\t\n})].*\n(?:\t[\t})].*\n)*/gm, (statement) =>
      namesDropped(statement) ? '' : statement,
    );
  if (namesDropped(kept)) {
    throw new ToolchainError(
      'invalid-pins',
      `${file} of Azure Service Operator is not of the form that it had. Its version was changed in ` +
        'modules/azure-service-operator/go.mod: correct localcloud/toolchain/operatorSources.ts.',
    );
  }
  return kept;
}
