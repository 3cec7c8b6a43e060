import type { GoOutput } from './goCommand';
import { runGo } from './goCommand';
import { goFailure } from './goFailure';

/** Working folder and environment of Go. */
export interface GoPlace {
  /** Folder of the main module. */
  cwd: string;
  /** Path of its go.mod, for messages. */
  goMod: string;
  env: NodeJS.ProcessEnv;
  /** Aborts the command. */
  signal?: AbortSignal;
  onStderrLine?: (line: string) => void;
}

/** Runs Go; throws a UserError if it fails. */
export async function go(title: string, args: string[], place: GoPlace): Promise<string> {
  const output = await runGo(args, place);
  if (output.exitCode !== 0) throw goFailure(title, output, place.goMod);
  return output.stdout;
}

/** Downloads every module that the packages need. */
export async function fetchPackages(packages: readonly string[], place: GoPlace): Promise<void> {
  await go(`Fetching the modules of ${packages.join(', ')}`, ['list', '-deps', '-f', '', ...packages], place);
}

/** Returns the number of packages that must be compiled for these main packages. */
export async function countStale(packages: readonly string[], place: GoPlace): Promise<number> {
  const stale = '{{if and .Stale (ne .Name "main")}}{{.ImportPath}}{{end}}';
  const listed = await go(
    `Reading ${packages.join(', ')}`,
    ['list', '-deps', '-f', stale, ...packages],
    place,
  );
  return listed.split('\n').filter((line) => line !== '').length;
}

/** Downloads modules, and returns the folder of each in Go's module cache. Go checks each against go.sum. */
export async function fetchModules(
  title: string,
  modules: readonly string[],
  place: GoPlace,
): Promise<Map<string, string>> {
  const output: GoOutput = await runGo(['mod', 'download', '-json', ...modules], place);
  const folders = new Map<string, string>();
  for (const text of output.stdout.split(/^(?=\{)/m).filter((part) => part.trim() !== '')) {
    const record = JSON.parse(text) as { Path: string; Dir?: string; Error?: string };
    if (record.Error !== undefined) throw goFailure(title, { ...output, stderr: record.Error }, place.goMod);
    if (record.Dir !== undefined) folders.set(record.Path, record.Dir);
  }
  if (output.exitCode !== 0) throw goFailure(title, output, place.goMod);
  return folders;
}

/** Downloads a module and returns its folder. */
export async function fetchModule(module: string, place: GoPlace): Promise<string> {
  return (await fetchModules(`Fetching ${module}`, [module], place)).get(module) ?? '';
}
