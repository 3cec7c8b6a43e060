import * as z from 'zod';
import { fieldsOf, isRecord } from '../components/resource/fields';
import { interactiveSignInProblems } from './checks/interactiveSignIns';
import { validate, type Validation } from './configuration';
import { type Configuration, isOfEnvironment } from './plan';
import { didYouMean } from './settings/nearest';
import type { Problem } from './settings/problem';
import type { ReadFile } from './settings/projectFiles';
import { stackSchema } from './settings/schema';
import { shapeProblems } from './settings/shapeProblems';
import { besideConfig } from './settings/unknownKey';
import { ambiguousIn, readYaml } from './settings/yamlPlaces';
import { asProgram, keyProblems } from './stackFileInput';

// The stack of a cell has a stack file of its own, which names its environment; the environment's stack file has all settings.

/** The key that makes a stack the stack of a cell. */
const cellOfKey = 'cellOf';

/** The settings of a cell itself. */
const cellSettings = z.strictObject({ kubeconfigs: stackSchema.shape.kubeconfigs });

/** Keys of the project in the stack file of a cell. */
const cellKeys = [cellOfKey, 'kubeconfigs'];

/** Tells whether the configuration is that of a cell. */
export const isCell = (input: Readonly<Record<string, unknown>>): boolean => Object.hasOwn(input, cellOfKey);

/** Returns the name of the stack file of an environment. */
export const stackFileOf = (environment: string): string => `Pulumi.${environment}.yaml`;

/** Yields a problem for each key that has no effect in the stack file of a cell. */
function* cellKeyProblems(input: Readonly<Record<string, unknown>>, environment: string): Generator<Problem> {
  for (const key of Object.keys(input))
    if (!cellKeys.includes(key))
      yield {
        path: [key],
        what: `has no effect in a cell of ${environment}`,
        allowed: cellKeys.join(', '),
        hint: `Move it to ${stackFileOf(environment)}, which has the settings of all cells.`,
      };
}

/** Returns the problem of a stack that is not one of the environment's cells. */
function unknownCell(stack: string, { environment, cells }: Configuration): Problem {
  const names = cells.map((cell) => cell.stack);
  return {
    path: [cellOfKey],
    value: JSON.stringify(environment),
    what: `is an environment without a cell for the stack ${stack}`,
    allowed: names.join(', ') || `no cell: ${stackFileOf(environment)} has no \`cells\``,
    hint: didYouMean(stack, names, `Add the cell to \`cells\` of ${stackFileOf(environment)}.`),
  };
}

/** Yields cells whose stacks have the name of another stack of the project, such as an environment. */
function* takenNameProblems({ environment, cells }: Configuration, readFile?: ReadFile): Generator<Problem> {
  for (const [index, { name, stack }] of cells.entries()) {
    const file = stackFileOf(stack);
    const text = readFile?.(file);
    if (text !== undefined && environmentIn(text) !== environment)
      yield {
        path: ['cells', index, 'name'],
        value: JSON.stringify(name),
        what: `gives the stack of the cell the name ${stack}, but ${file} is not the stack file of that cell`,
        allowed: 'a name that gives no other stack of the project',
        hint: 'Rename the cell.',
      };
  }
}

/** Yields clusters of mode external without a kubeconfig, and kubeconfigs without such a cluster. */
function* kubeconfigProblems(
  { settings }: Configuration,
  kubeconfigs: unknown,
  stack: string,
): Generator<Problem> {
  const external = settings.clusters.filter(({ mode }) => mode === 'external').map(({ name }) => name);
  const there = isRecord(kubeconfigs) ? Object.keys(kubeconfigs) : [];
  for (const name of external)
    if (!there.includes(name))
      yield {
        path: ['kubeconfigs', name],
        what: `is missing: ${name} is a cluster of mode external in this cell`,
        allowed: 'the kubeconfig of an administrator, encrypted',
        hint: `Set it with \`pulumi config set --secret --stack ${stack} --path 'kubeconfigs.${name}' < <file>\`.`,
      };
  for (const name of there)
    if (!external.includes(name))
      yield {
        path: ['kubeconfigs', name],
        what: 'does not name a cluster of mode external in this cell',
        allowed: external.join(', ') || 'no kubeconfig',
        hint: 'Remove it.',
      };
}

/** Returns the name of the environment in the text of the stack file of a cell; undefined if it is not that of a cell. */
export function environmentIn(text: string): string | undefined {
  const { input } = asProgram(fieldsOf(fieldsOf(readYaml(text).content).config));
  const environment = input[cellOfKey];
  return typeof environment === 'string' ? environment : undefined;
}

/** Returns the text of the stack file with the settings: for a cell, that of its environment. */
export function textWithSettings(text: string, readFile: ReadFile): string {
  const environment = environmentIn(text);
  return (environment === undefined ? undefined : readFile(stackFileOf(environment))) ?? text;
}

/** Returns the part of the configuration that the environment's own stack deploys: with cells, no cluster. */
export function partOfOwnStack(configuration: Configuration): Configuration {
  const { settings, plan, cells, cell } = configuration;
  if (cells.length === 0 || cell !== undefined) return configuration;
  return {
    ...configuration,
    settings: { ...settings, clusters: [], hostedClusters: [] },
    plan: {
      ...plan,
      clusters: [],
      groups: plan.groups.map((group) => ({ ...group, members: [] })),
      vaults: plan.vaults.map((vault) => ({ ...vault, grants: vault.grants.filter(isOfEnvironment) })),
    },
  };
}

/**
 * Checks the configuration of the stack of an environment or of a cell; parameters and result are those of `validate`. For a
 * cell, `readFile` reads the stack file of its environment.
 */
export function validateStack(
  ...[stack, input, readFile, unread, now, ...more]: Parameters<typeof validate>
): Validation {
  if (!isCell(input)) {
    const validation = validate(stack, input, readFile, unread, now, ...more);
    if (!validation.ok) return validation;
    const problems = [...takenNameProblems(validation.configuration, readFile)];
    return problems.length > 0 ? { ok: false, problems, compared: true } : validation;
  }
  const { [cellOfKey]: environment, kubeconfigs = {} } = input;
  const refused = (...problems: Problem[]): Validation => ({ ok: false, problems, compared: true });
  const at = { path: [cellOfKey], value: JSON.stringify(environment) };
  const text = typeof environment === 'string' ? readFile?.(stackFileOf(environment)) : undefined;
  if (typeof environment !== 'string' || text === undefined)
    return refused({
      ...at,
      what: 'is not an environment of this project',
      allowed: 'the name of an environment whose Pulumi.<environment>.yaml is in the project',
      hint: 'Correct it.',
    });
  const { content, errors } = readYaml(text);
  const top = fieldsOf(content);
  const config = fieldsOf(top.config);
  const program = asProgram(config);
  if (isCell(program.input))
    return refused({
      ...at,
      what: 'is itself a cell',
      allowed: 'the name of an environment, whose stack file has the settings',
      hint: `See \`${cellOfKey}\` in ${stackFileOf(environment)}.`,
    });
  const validation = validateStack(environment, program.input, readFile, program.unknown, now, ...more);
  const others = [
    ...errors,
    ...besideConfig(Object.keys(top)),
    ...ambiguousIn(text),
    ...keyProblems(config, program),
  ];
  if (!validation.ok || validation.ofCell === undefined || others.length > 0)
    return refused({
      ...at,
      what: 'is an environment with errors in its stack file',
      hint: `Correct them first: \`npx aks-wi validate --stack ${environment}\`.`,
    });
  const cell = validation.configuration.cells.find((candidate) => candidate.stack === stack);
  if (cell === undefined) return refused(unknownCell(stack, validation.configuration));
  const parsed = cellSettings.safeParse({ kubeconfigs });
  if (!parsed.success) return refused(...shapeProblems(cellSettings, { kubeconfigs }));
  const configuration = validation.ofCell(cell, parsed.data.kubeconfigs);
  const problems = [
    ...cellKeyProblems(input, environment),
    ...interactiveSignInProblems(parsed.data.kubeconfigs),
    ...(unread?.includes('kubeconfigs') === true
      ? []
      : kubeconfigProblems(configuration, kubeconfigs, stack)),
  ];
  return problems.length > 0 ? refused(...problems) : { ok: true, configuration };
}
