// What the local cloud's commands need to know of this product (`Product` in localcloud/commands/product.ts). The launcher
// passes it to them, and it is small because they load nothing else of the product.
import { parseDocument } from 'yaml';
import { fieldsOf, textsOf } from '../components/resource/fields';
import { project } from '../stacks/settings/problem';

type OptionOf = (args: string[], ...names: string[]) => string | undefined;

/** Without `--deployed`, `access` reads settings, which needs no cloud; but `--diff` may read a stack. */
function stackOfAccess(args: string[], optionOf: OptionOf): string | undefined {
  if (args.includes('--deployed')) return optionOf(args, '--stack', '-s');
  const from = args.indexOf('--diff') + 1;
  if (from === 0) return undefined;
  const rest = args.slice(from);
  const end = rest.findIndex((argument) => argument.startsWith('-'));
  const sides = rest.slice(0, end === -1 ? undefined : end);
  if (sides.length === 0) return optionOf(args, '--stack', '-s');
  return sides.find((side) => !/\.(json|ya?ml)$/.test(side));
}

/** The other fleet commands need only the stack file. */
function stackOfFleet(args: string[], optionOf: OptionOf): string | undefined {
  return ['move', 'up', 'status'].includes(args[1] ?? '') ? optionOf(args, '--stack', '-s') : undefined;
}

/** With `--local`, the local cloud stands in for Azure; the command makes a stack of its own there. */
function stackOfRehearsal(args: string[]): string | undefined {
  return args.includes('--local') ? 'local' : undefined;
}

/** The commands that use the local cloud or Azure, in the order of the documentation. */
export const commands = {
  verify: {},
  access: { stack: stackOfAccess },
  import: { writes: true, runsProgram: true },
  orphans: {},
  promote: { stack: (args: string[], optionOf: OptionOf) => optionOf(args, '--from') },
  'hosted-clusters': {},
  revoke: { writes: true },
  grant: {},
  audit: {},
  drift: { runsProgram: true },
  migrate: {},
  init: {
    stack: (args: string[], optionOf: OptionOf) =>
      args.includes('--from-azure') ? optionOf(args, '--stack') : undefined,
  },
  doctor: {},
  fleet: { stack: stackOfFleet, runsProgram: true },
  'azure-run': { stack: stackOfRehearsal, runsProgram: true },
};

export const showPulumi = ['validate', 'access'];

export const errors = {
  /** `InvalidConfigurationError` in stacks/. */
  invalid:
    /\bPulumi\.[\w.-]+\.yaml(, with the files that it names,)? has (1 error|\d+ errors); nothing was changed\./,
  /** Of stacks/preflight. */
  exists: /exists in (Azure|Entra), and the stack would create it/,
  policies: 'add a temporary exception (docs/policies.md)',
};

export const nextCommands = [['stack output workloads', 'what was deployed']] as const;

export const exampleChange = 'remove a secret of an application';

/** Tells whether clusters use aad-pod-identity or HyperShift. */
export function usesRareTools(config: unknown): boolean {
  return listOf(setting(config, 'clusters')).some((cluster) =>
    ['podIdentity', 'hyperShift'].some((name) => fieldsOf(cluster)[name] !== undefined),
  );
}

export function onlyAdvises(config: unknown): boolean {
  return fieldsOf(setting(config, 'policies')).level === 'advisory';
}

/** Returns the secrets of applications and groups, in the stack file or in the pinned release (`environments.<stack>`). */
export function secretNames(
  config: unknown,
  stack: string,
  read: (file: string) => string | undefined,
): string[] {
  const grantees = ['applications', 'groups'].flatMap((key) => listOf(setting(config, key)));
  const names = grantees.flatMap((grantee) => {
    const { release, accessWindows } = fieldsOf(grantee);
    const promoted = typeof release === 'string' ? pinned(read(release), stack) : undefined;
    return [grantee, promoted, ...listOf(accessWindows)].flatMap((each) => textsOf(fieldsOf(each).secrets));
  });
  return [...new Set(names)];
}

function pinned(text: string | undefined, stack: string): unknown {
  const file = text === undefined ? undefined : parsed(text);
  const { environments, releases } = fieldsOf(file);
  const version = fieldsOf(environments)[stack];
  // YAML reads the version `1.5` as a number, but the key `1.5` of `releases` as a string.
  if (typeof version !== 'string' && typeof version !== 'number') return undefined;
  return fieldsOf(releases)[String(version)];
}

/** Returns a parsed release file; undefined if it is not valid YAML, which the program reports. */
function parsed(text: string): unknown {
  try {
    return parseDocument(text, { merge: true }).toJS() as unknown;
  } catch {
    return undefined;
  }
}

const setting = (config: unknown, name: string): unknown => fieldsOf(config)[`${project}:${name}`];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
