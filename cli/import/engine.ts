import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { configFileOption, exportedState, runPulumi, type PulumiStack } from '../pulumi';
import type { ExistingResource } from './find';
import { recordedInputs } from './inputs';
import { createsOf, nameInUrn, parsePreview, typeOf, type Step } from '../preview';
import { ownVariables } from '../../stacks/settings/ownVariables';

/** The file that `pulumi preview --import-file` writes and `pulumi import --file` reads. */
const importFile = z.looseObject({
  resources: z
    .array(
      z.looseObject({
        /** Name in the file, where it is unique. */
        name: z.string(),
        /** Name in the stack, if it is different. */
        logicalName: z.string().optional(),
        type: z.string(),
        id: z.string().optional(),
        /** Name in the file. */
        parent: z.string().optional(),
        /** Name in the file. */
        provider: z.string().optional(),
      }),
    )
    .default([]),
});

type ImportFile = z.infer<typeof importFile>;

/** The plan of the next update. */
export interface Planned {
  steps: Step[];
  /** Resources that would be created, with a placeholder for each id. */
  importFile: ImportFile;
}

/** Makes the program accept existing resources in Azure. */
const importing = { [ownVariables.importing]: 'true' };

export function preview(stack: PulumiStack): Promise<Planned> {
  return inTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'import.json');
    const flags = ['--json', '--show-sames', '--show-replacement-steps', '--import-file', file];
    const printed = await runPulumi(stack, ['preview', ...flags, ...configFileOption(stack)], {
      env: importing,
    });
    return {
      steps: parsePreview(printed).steps,
      importFile: importFile.parse(JSON.parse(readFileSync(file, 'utf8'))),
    };
  });
}

/**
 * Imports resources into the stack, with the inputs that they would have if the program had created them. Azure is only read.
 */
export async function importAll(
  stack: PulumiStack,
  existing: readonly ExistingResource[],
  planned: Planned,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'import.json');
    writeFileSync(file, JSON.stringify(withIds(planned, existing)), { mode: 0o600 });
    const flags = ['--yes', '--protect=false', '--generate-code=false', '--skip-preview'];
    await runPulumi(stack, ['import', '--file', file, ...flags, ...configFileOption(stack)], {
      env: importing,
    });
    const exported = await runPulumi(stack, ['stack', 'export']);
    writeFileSync(file, withRecordedInputs(exported, existing));
    await runPulumi(stack, ['stack', 'import', '--file', file]);
  });
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'aks-wi-import-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the engine's import file with ids, reduced to what was found and the components and providers that this needs. */
export function withIds(
  { steps, importFile: written }: Planned,
  existing: readonly ExistingResource[],
): ImportFile {
  // The engine creates default providers itself. It writes everything else in the order of the steps.
  const creates = createsOf(steps).filter(({ urn }) => !/::pulumi:providers:[^:]+::default(_|$)/.test(urn));
  const ids = new Map(existing.map(({ urn, id }) => [urn, id]));
  const needed = new Set<string | undefined>();
  const resources = written.resources
    .map((resource, index) => {
      const urn = creates[index]?.urn ?? '';
      if (typeOf(urn) !== resource.type || nameInUrn(urn) !== (resource.logicalName ?? resource.name)) {
        throw new Error(`pulumi's import file has ${resource.name} where its preview has '${urn}'`);
      }
      const id = ids.get(urn);
      return id === undefined ? resource : { ...resource, id };
    })
    // Parents and providers come before what needs them.
    .toReversed()
    .filter(({ name, id, parent, provider }) => {
      const isFound = id !== undefined && id !== '<PLACEHOLDER>';
      if (!isFound && !needed.has(name)) return false;
      needed.add(parent).add(provider);
      return true;
    })
    .toReversed();
  return { ...written, resources };
}

/** Returns the exported state with the inputs of imported resources as an update would have recorded them. */
export function withRecordedInputs(exported: string, existing: readonly ExistingResource[]): string {
  const state = exportedState.parse(JSON.parse(exported));
  for (const { urn, inputs } of existing) {
    const resource = state.deployment.resources?.find((candidate) => candidate.urn === urn);
    if (resource === undefined) throw new Error(`pulumi imported '${urn}' under another URN`);
    resource.inputs = recordedInputs(resource.inputs ?? {}, inputs);
  }
  return JSON.stringify(state);
}
