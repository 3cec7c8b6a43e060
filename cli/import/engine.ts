import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Difference } from './inputs';
import { importFile, type ImportedResource } from './importFile';
import { parsePreview, type Preview } from './preview';
import { urnsIn, withRecordedInputs } from './state';
import { runPulumi } from '../pulumi';

/** The stack, and where pulumi finds its configuration. */
export interface EngineStack {
  name: string;
  /** Folder of the project. */
  cwd: string;
  /** The file that pulumi reads, if it is not the project's Pulumi.<stack>.yaml. */
  configFile?: string | undefined;
}

/** What the next update would do. */
export async function preview(stack: EngineStack): Promise<Preview> {
  return parsePreview(
    await pulumi(stack, ['preview', '--json', '--show-replacement-steps', ...configuration(stack)]),
  );
}

/** Takes resources into the stack's state; Azure is only read. Gives where they differ from the program, by URN. */
export async function takeIn(
  stack: EngineStack,
  imports: readonly ImportedResource[],
  planned: Preview,
): Promise<ReadonlyMap<string, Difference[]>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'aks-wi-import-'));
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  try {
    const file = write('import.json', JSON.stringify(importFile(imports, planned)));
    const flags = ['--yes', '--protect=false', '--generate-code=false', '--skip-preview'];
    await pulumi(stack, ['import', '--file', file, ...flags, ...configuration(stack)]);
    const exported = await pulumi(stack, ['stack', 'export']);
    const missing = imports.filter(({ create }) => !urnsIn(exported).has(create.urn));
    if (missing.length > 0) {
      throw new Error(
        `pulumi imported other URNs than ${missing.map(({ create }) => create.urn).join(', ')}`,
      );
    }
    const { text, differences } = withRecordedInputs(
      exported,
      new Map(imports.map(({ create }) => [create.urn, create.inputs])),
    );
    await pulumi(stack, ['stack', 'import', '--file', write('state.json', text)]);
    return differences;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configuration({ configFile }: EngineStack): string[] {
  return configFile === undefined ? [] : ['--config-file', configFile];
}

/** The program then makes no error of what is in Azure already: that is what it is asked for. */
const importing = { AKS_WI_IMPORTING: 'true' };

function pulumi({ name, cwd }: EngineStack, args: string[]): Promise<string> {
  return runPulumi(name, args, { cwd, env: importing });
}
