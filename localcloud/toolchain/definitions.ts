import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { PinnedModule } from './cacheKey';
import { UserError } from '../userError';
import { expandVersions } from './goMod';
import type { GoPlace } from './goPackages';
import type { DefinitionsRecipe } from './tools';

/** Folder of the generated definitions, next to their binary. */
export const definitionsFolder = 'crds';

/**
 * Generates custom resource definitions with the generator in `staging`, completes them as the vendor's release
 * process does, and writes them to `folder`. Returns their files, relative to `folder`.
 */
export async function generateDefinitions(
  recipe: DefinitionsRecipe,
  options: { module: PinnedModule; staging: string; folder: string; place: GoPlace },
): Promise<string[]> {
  const { module, staging, folder, place } = options;
  const generator = path.join(staging, path.basename(recipe.generator));
  const generated = path.join(staging, 'generated');
  const complete = path.join(staging, definitionsFolder);
  await Promise.all([mkdir(generated), mkdir(complete)]);
  const args = [
    'crd:crdVersions=v1,allowDangerousTypes=true,maxDescLen=0',
    `paths=${recipe.packages.join(';')}`,
    `output:crd:artifacts:config=${generated}`,
  ];
  try {
    const { env, signal } = place;
    await promisify(execFile)(generator, args, {
      cwd: module.folder,
      env,
      signal,
      maxBuffer: 16 * 1024 ** 2,
    });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new UserError(
      `Generating the custom resource definitions of ${recipe.owner} failed: ${stderr.trim() || String(error)}`,
      undefined,
      { cause: error },
    );
  }
  const version = expandVersions(recipe.version, module.goMod);
  const files = await readdir(generated);
  if (files.length === 0) {
    throw new UserError(
      `No custom resource definition was generated from ${recipe.packages.join(', ')}. The module's version was ` +
        `changed in modules/${module.name}/go.mod: correct the packages in localcloud/toolchain/tools.ts.`,
    );
  }
  for (const file of files) {
    const { name, text } = completeDefinition(await readFile(path.join(generated, file), 'utf8'), {
      ...recipe,
      version,
    });
    // The operator recognizes its definitions by the file name.
    const target = `apiextensions.k8s.io_v1_customresourcedefinition_${name}.yaml`;
    await writeFile(path.join(complete, target), text);
  }
  const target = path.join(folder, definitionsFolder);
  await rm(target, { recursive: true, force: true });
  await rename(complete, target);
  return (await readdir(target)).map((file) => path.join(definitionsFolder, file));
}

/**
 * Copies custom resource definitions from the vendor's module `release`, whose folder is `from`, to `folder`. Returns
 * their files, relative to `folder`.
 */
export async function copyDefinitions(
  paths: readonly string[],
  { module, release, from, folder }: { module: PinnedModule; release: string; from: string; folder: string },
): Promise<string[]> {
  const files: string[] = [];
  await mkdir(path.join(folder, definitionsFolder), { recursive: true });
  for (const file of paths) {
    const target = path.join(definitionsFolder, path.basename(file));
    try {
      await copyFile(path.join(from, file), path.join(folder, target));
    } catch (error) {
      throw new UserError(
        `${release} has no file ${file}. Its version was changed in modules/${module.name}/go.mod: correct the paths in localcloud/toolchain/tools.ts.`,
        undefined,
        { cause: error },
      );
    }
    files.push(target);
  }
  return files;
}

/**
 * Adds what the vendor's release process adds to a generated definition: the operator's labels, cert-manager's
 * annotation for the webhook's certificate authority, and the conversion webhook. The files are large and have
 * a known layout, so their head is edited as text.
 */
export function completeDefinition(
  text: string,
  recipe: Pick<DefinitionsRecipe, 'owner' | 'version' | 'certificate' | 'conversion'>,
): { name: string; text: string } {
  const head = /^metadata:\n {2}annotations:\n((?: {4}\S.*\n)+) {2}name: (\S+)\nspec:\n/m.exec(text);
  const [match, annotations, name] = head ?? [];
  if (match === undefined || annotations === undefined || name === undefined) {
    throw new UserError(
      'A generated custom resource definition does not begin as expected: ' +
        `"${text.slice(0, 300)}". The generator's version was changed in modules/azure-service-operator/go.mod: ` +
        'correct localcloud/toolchain/definitions.ts.',
    );
  }
  const [namespace = '', service = ''] = recipe.conversion.split('/');
  const completed = [
    'metadata:',
    '  annotations:',
    `    cert-manager.io/inject-ca-from: ${recipe.certificate}`,
    annotations.trimEnd(),
    '  labels:',
    `    app.kubernetes.io/name: ${recipe.owner}`,
    `    app.kubernetes.io/version: ${recipe.version}`,
    `  name: ${name}`,
    'spec:',
    '  conversion:',
    '    strategy: Webhook',
    '    webhook:',
    '      clientConfig:',
    '        service:',
    `          name: ${service}`,
    `          namespace: ${namespace}`,
    '          path: /convert',
    '          port: 443',
    '      conversionReviewVersions:',
    '        - v1',
    '',
  ].join('\n');
  return { name, text: text.replace(match, () => completed) };
}
