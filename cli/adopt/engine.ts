import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Difference } from './inputs';
import { importFile, type Adoption } from './import';
import { parsePreview, type Preview } from './preview';
import { urnsIn, withRecordedInputs } from './state';
import { capture } from '../capture';
import { VisibleError } from '../visibleError';

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
  adoptions: readonly Adoption[],
  planned: Preview,
): Promise<ReadonlyMap<string, Difference[]>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'aks-wi-adopt-'));
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  try {
    const file = write('import.json', JSON.stringify(importFile(adoptions, planned)));
    const flags = ['--yes', '--protect=false', '--generate-code=false', '--skip-preview'];
    await pulumi(stack, ['import', '--file', file, ...flags, ...configuration(stack)]);
    const exported = await pulumi(stack, ['stack', 'export']);
    const missing = adoptions.filter(({ create }) => !urnsIn(exported).has(create.urn));
    if (missing.length > 0) {
      throw new Error(
        `pulumi imported other URNs than ${missing.map(({ create }) => create.urn).join(', ')}`,
      );
    }
    const { text, differences } = withRecordedInputs(
      exported,
      new Map(adoptions.map(({ create }) => [create.urn, create.inputs])),
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

/** The program then takes what is there already for no error: that is what it is asked for. */
const adopting = { AKS_WI_ADOPTING: 'true' };

async function pulumi({ name, cwd }: EngineStack, args: string[]): Promise<string> {
  const what = `pulumi ${args.slice(0, args[0] === 'stack' ? 2 : 1).join(' ')}`;
  const result = await capture('pulumi', [...args, '--stack', name, '--non-interactive'], {
    cwd,
    env: adopting,
  });
  if (result.code === 0) return result.stdout;
  if (result.notFound) {
    throw new VisibleError(
      'pulumi was not found on PATH.',
      'Install it (https://www.pulumi.com/docs/install/), or use the stacks of the local cloud, which brings its own.',
    );
  }
  if (/no stack named/i.test(result.stderr)) {
    throw new VisibleError(
      `There is no stack named '${name}' in this backend.`,
      `Make it with \`pulumi stack init ${name}\`, and run the command again.`,
    );
  }
  throw new VisibleError(
    `${what} failed: ${told(result)}`,
    'Correct it and run the command again: what was taken in stays so.',
  );
}

/** With `--json`, errors are among the diagnostics of what is printed. */
function told({ stdout, stderr }: { stdout: string; stderr: string }): string {
  const diagnostics = [...stdout.matchAll(/"message": "((?:[^"\\]|\\.)*)",\s*"severity": "error"/g)].map(
    ([, message = '']) => JSON.parse(`"${message}"`) as string,
  );
  const lines = [...diagnostics, stderr]
    .map((text) => text.replace(/^error: /, '').trim())
    .filter((text) => text !== '');
  return lines.join('\n') || stdout.trim().split('\n').slice(-5).join('\n');
}
