import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../userError';

const operator = 'github.com/Azure/azure-service-operator/v2';

/** Packages of the operator's module that import all API groups, and are compiled from modified copies. */
const copies = [
  { folder: 'internal/controllers', to: 'controllers', file: /(?<!_test)\.go$/ },
  { folder: 'cmd/controller/app', to: 'app', file: /^flags\.go$/ },
] as const;

/** API groups with resources that are not Azure resources, each with the name of its own reconciler. */
const reconcilers: Readonly<Record<string, string>> = {
  azuresql: 'sql',
  entra: 'entra',
  mysql: 'dbformysql',
  postgresql: 'dbforpostgresql',
};

/**
 * Prepares the sources of the operator: this project's main package, and a copy of the vendor's package that registers
 * its controllers, reduced to these groups. The original imports 500 packages of 41 groups, and Microsoft Graph's
 * client. With a few groups, compiling takes a seventh of the processor time, and linking a third of the memory.
 *
 * @param options.from folder of the vendor's module, which is not changed
 * @throws UserError if the module lacks a group, or its package has another format
 */
export async function prepareOperatorSources(options: {
  ours: string;
  from: string;
  groups: readonly string[];
  into: string;
}): Promise<void> {
  const { ours, from, groups, into } = options;
  const folders = await readdir(path.join(from, 'api'), { withFileTypes: true });
  // The resources of `entra` need Microsoft Graph, which the local cloud does not have.
  const known = folders.flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'entra' ? [entry.name] : [],
  );
  const unknown = groups.filter((group) => !known.includes(group));
  if (unknown.length > 0) {
    throw new UserError(
      `Azure Service Operator has no API group ${unknown.join(', ')}; it has ${known.join(', ')}. ` +
        'Correct `serviceOperatorGroups` in localcloud/toolchain/tools.ts.',
    );
  }
  await cp(ours, into, { recursive: true });
  for (const { folder, to, file } of copies) {
    await mkdir(path.join(into, to));
    for (const name of await readdir(path.join(from, folder))) {
      if (!file.test(name)) continue;
      const text = await readFile(path.join(from, folder, name), 'utf8');
      await writeFile(path.join(into, to, name), keepGroups(name, text, groups));
    }
  }
}

/**
 * Removes the other groups from a registration file: their imports, the statements and fields that use them,
 * and the functions for their fields. The file is mostly generated in one format, so it is edited as text.
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
    // A statement or field starts with one tab; its other lines are indented more, or close it.
    .replace(/^\t[^\t\n})].*\n(?:\t[\t})].*\n)*/gm, (statement) =>
      namesDropped(statement) ? '' : statement,
    );
  if (namesDropped(kept)) {
    throw new UserError(
      `${file} of Azure Service Operator has an unexpected format. Its version was changed in ` +
        'modules/azure-service-operator/go.mod: correct localcloud/toolchain/operatorSources.ts.',
    );
  }
  return kept;
}
