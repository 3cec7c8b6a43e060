import type { Command } from 'commander';
import { runProgram, createProgram } from '../../../cli/main';
import { capturedOutput, withProject } from './projectFolder';

/** Cells by name, each with its wave and the names of its clusters. */
export type Cells = Readonly<Record<string, readonly [wave: number, ...clusters: string[]]>>;

const application =
  "{ name: orders, image: 'x/y:1', identity: application, secrets: [orders-db, orders-key] }";

/** A stack file with clusters, the same application on each, and the cells. */
export function fleetText(clusters: readonly string[], cells: Cells = {}, applications = application) {
  const listed = Object.entries(cells).map(
    ([name, [wave, ...names]]) =>
      `    # Owned by team ${name}.\n    - { name: ${name}, wave: ${wave}, clusters: [${names.join(', ')}] }\n`,
  );
  return `config:
  aks-workload-identity:location: westeurope
  aks-workload-identity:resourceGroup: rg-fleet
  aks-workload-identity:vault: { name: kv-fleet } # with role assignments
  aks-workload-identity:clusters:
${clusters.map((name) => `    - name: ${name}\n`).join('')}  aks-workload-identity:applications: [${applications}]
${listed.length === 0 ? '' : `  aks-workload-identity:cells:\n${listed.join('')}`}`;
}

/** The stack file of each cell of the environment `fleet`. */
export const stackFileOfCell = 'config: { aks-workload-identity:cellOf: fleet }\n';

/** Names of clusters, `aks-001` and so on. */
export function clusterNames(count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, index) => `aks-${String(first + index).padStart(3, '0')}`);
}

/** A wrong option would end the process of the tests. */
function withoutExit(command: Command): void {
  const writeErr = (text: string) => process.stderr.write(text);
  command.exitOverride().configureOutput({ writeErr });
  command.commands.forEach(withoutExit);
}

/** Runs `aks-wi fleet` in a project with the files. Returns its output, its exit code and the result of `after`. `{folder}` is the project's. */
export function runFleet<T = undefined>(
  files: Record<string, string>,
  args: readonly string[],
  after?: (folder: string) => T,
) {
  return withProject(files, async (folder) => {
    const { written, spies } = capturedOutput();
    const cwd = jest.spyOn(process, 'cwd').mockReturnValue(folder);
    const before = process.exitCode;
    process.exitCode = 0;
    try {
      const program = await createProgram(['fleet']);
      withoutExit(program);
      await runProgram(program, ['fleet', ...args.map((argument) => argument.replace('{folder}', folder))]);
      return { ...written, code: process.exitCode, ...(after && { after: after(folder) }) };
    } finally {
      process.exitCode = before;
      for (const spy of [...spies, cwd]) spy.mockRestore();
    }
  });
}
