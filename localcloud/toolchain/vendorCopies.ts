import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../userError';

/** A source file of a vendor's module that is compiled from a copy. */
export interface VendorCopy {
  /** Path in the module. */
  readonly file: string;
  /** Names of the functions to keep. @default the whole file is kept */
  readonly functions?: readonly string[];
}

/**
 * Prepares the sources of one of this project's Go modules: its own files, and copies of a vendor's files. The vendor's
 * packages themselves import far more than is used here. A copy that imports another copied package imports the copy.
 *
 * @param options.from folder of the vendor's module, which is not changed
 * @throws UserError if the module lacks a file or a function
 */
export async function prepareVendorCopies(options: {
  ours: string;
  release: string;
  from: string;
  copies: readonly VendorCopy[];
  into: string;
}): Promise<void> {
  const { ours, release, from, copies, into } = options;
  await cp(ours, into, { recursive: true });
  const [, main = ''] = /^module (\S+)$/m.exec(await readFile(path.join(ours, 'go.mod'), 'utf8')) ?? [];
  const packages = new Set(copies.map(({ file }) => path.posix.dirname(file)));
  for (const { file, functions } of copies) {
    const text = await readFile(path.join(from, file), 'utf8').catch((error: unknown) => {
      throw invalid(`${release} has no file ${file}.`, error);
    });
    const kept = functions === undefined ? text : keepFunctions(`${release}/${file}`, text, functions);
    const target = path.join(into, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(
      target,
      kept.replace(/"([^"\n]+)"/g, (literal, imported: string) =>
        imported.startsWith(`${release}/`) && packages.has(imported.slice(release.length + 1))
          ? `"${main}${imported.slice(release.length)}"`
          : literal,
      ),
    );
  }
}

/** Reduces a file to some of its functions, with their comments, and to the imports that these functions use. */
export function keepFunctions(file: string, text: string, names: readonly string[]): string {
  const [head = ''] = /^(?:\/\/.*\n|\n)*package \w+\n/.exec(text) ?? [];
  const kept = names.map((name) => {
    const [source] = new RegExp(`^(?://.*\\n)*func ${name}\\([^]*?^\\}\\n`, 'm').exec(text) ?? [];
    if (source === undefined) throw invalid(`${file} has no function ${name}.`);
    return source;
  });
  const code = kept.join('\n');
  const [, block = ''] = /^import \(\n([^]*?)^\)\n/m.exec(text) ?? [];
  const imports = [...block.matchAll(/^\t(?:(\w+) )?"([^"]+)"\n/gm)]
    .filter(([, alias, imported = '']) =>
      new RegExp(`\\b${alias ?? path.posix.basename(imported)}\\.`).test(code),
    )
    .map(([line]) => line);
  return `${head}\nimport (\n${imports.join('')})\n\n${code}`;
}

function invalid(problem: string, cause?: unknown): UserError {
  return new UserError(
    `${problem} Its version was changed in go.mod: correct \`copies\` in localcloud/toolchain/tools.ts.`,
    undefined,
    { cause },
  );
}
