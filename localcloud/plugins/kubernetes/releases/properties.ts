import type { Properties, Value } from '../../protocol';
import { Asset, isObject, isUnknown, reveal } from '../../protocol';

const switches = [
  'allowNullValues',
  'atomic',
  'cleanupOnFail',
  'createNamespace',
  'dependencyUpdate',
  'devel',
  'disableCRDHooks',
  'disableOpenapiValidation',
  'disableWebhooks',
  'forceUpdate',
  'lint',
  'recreatePods',
  'renderSubchartNotes',
  'replace',
  'resetValues',
  'reuseValues',
  'skipAwait',
  'skipCrds',
  'takeOwnership',
  'verify',
  'waitForJobs',
] as const;
const texts = ['chart', 'description', 'keyring', 'name', 'namespace', 'postrender', 'version'] as const;
const numbers = ['maxHistory', 'timeout'] as const;
const others = ['compat', 'manifest', 'repositoryOpts', 'resourceNames', 'valueYamlFiles', 'values'] as const;

export const releaseInputs: readonly string[] = [...switches, ...texts, ...numbers, ...others];
/** Every input of `repositoryOpts`. */
export const repositoryInputs = ['caFile', 'certFile', 'keyFile', 'password', 'repo', 'username'] as const;

/** Inputs of the official plugin that helm's command does not support. */
export const unsupportedInputs = ['disableCRDHooks', 'recreatePods', 'replace', 'lint'] as const;

/** Key of a chart's checksum, which is recorded with the inputs of a release whose chart is in the file system. */
export const checksumKey = 'checksum';

export type ReleaseArguments = Partial<Record<(typeof switches)[number], boolean>> &
  Partial<Record<(typeof numbers)[number], number>> &
  Partial<Record<(typeof texts)[number], string>> & {
    chart: string;
    name: string;
    namespace: string;
    repository: Partial<Record<(typeof repositoryInputs)[number], string>>;
    values: Value;
    /** Contents or paths, lowest precedence first. */
    valueFiles: Asset[];
  };

/** Parses checked inputs, which must all be known. */
export function readRelease(inputs: Properties): ReleaseArguments {
  const pick = <T extends Value>(
    names: readonly string[],
    matches: (value: Value) => value is T,
  ): Record<string, T> =>
    Object.fromEntries(
      names.flatMap((name): [string, T][] => {
        const value = reveal(inputs[name] ?? null);
        return matches(value) ? [[name, value]] : [];
      }),
    );
  const isText = (value: Value): value is string => typeof value === 'string' && value !== '';
  const named = pick(texts, isText);
  const repository = reveal(inputs['repositoryOpts'] ?? null);
  const files = reveal(inputs['valueYamlFiles'] ?? null);
  return {
    ...pick(switches, (value): value is boolean => typeof value === 'boolean'),
    ...pick(numbers, (value): value is number => typeof value === 'number'),
    ...named,
    chart: required(named, 'chart'),
    name: required(named, 'name'),
    namespace: required(named, 'namespace'),
    repository: isObject(repository)
      ? Object.fromEntries(Object.entries(repository).filter(([, value]) => isText(value)))
      : {},
    values: reveal(inputs['values'] ?? {}),
    valueFiles: Array.isArray(files) ? files.filter((file) => file instanceof Asset) : [],
  };
}

function required(named: Record<string, string>, name: string): string {
  const value = named[name];
  if (value === undefined) throw new Error(`a release needs '${name}'`);
  return value;
}

/** Returns an input's string; undefined if it is missing or not known yet. */
export function knownText(inputs: Properties, name: string): string | undefined {
  const value = reveal(inputs[name] ?? null);
  return typeof value === 'string' && value !== '' && !isUnknown(value) ? value : undefined;
}
