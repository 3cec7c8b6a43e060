import { fieldsOf } from '../components/resource/fields';
import { isCell, validateStack } from './cells';
import { secrecyProblems } from './checks/secrecy';
import { notCompared } from './configuration';
import { InvalidConfigurationError } from './invalidConfiguration';
import type { Configuration } from './plan';
import { project } from './settings/problem';
import type { ReadFile } from './settings/projectFiles';
import { fromPulumiConfig } from './settings/pulumiConfig';
import { readYaml } from './settings/yamlPlaces';
import { unreadKeys } from './settings/unknownKey';

/**
 * Reads the configuration of a stack.
 * @param encrypted keys that the stack file holds encrypted, with their namespace
 * @param readFile reads the files that the configuration names
 * @param now determines which certificates exist and what has expired
 * @throws InvalidConfigurationError with all its problems
 */
export function readConfiguration(
  environment: string,
  all: Readonly<Record<string, string>>,
  encrypted: readonly string[],
  readFile?: ReadFile,
  now = new Date(),
): Configuration {
  const settings = withoutDefaults(fromPulumiConfig(all), readFile);
  const validation = validateStack(environment, settings, readFile, [], now);
  const isEncrypted = (key: string) => encrypted.includes(`${project}:${key}`);
  const secrecy = secrecyProblems(
    settings,
    Object.keys(settings)
      .filter(isEncrypted)
      .map((key) => [key]),
  );
  const unread = unreadKeys(Object.keys(all));
  const problems = [...unread, ...(validation.ok ? [] : validation.problems), ...secrecy];
  if (validation.ok && problems.length === 0) return validation.configuration;
  throw new InvalidConfigurationError(
    environment,
    problems,
    validation.ok || validation.compared ? undefined : notCompared,
  );
}

/** Returns the configuration of a cell without the defaults of Pulumi.yaml, which the engine gives to every stack. */
function withoutDefaults(settings: Readonly<Record<string, unknown>>, readFile: ReadFile | undefined) {
  if (!isCell(settings)) return settings;
  const { config } = fieldsOf(readYaml(readFile?.('Pulumi.yaml') ?? '').content);
  const isDefault = (key: string, value: unknown) =>
    fieldsOf(fieldsOf(config)[`${project}:${key}`]).default === value;
  return Object.fromEntries(Object.entries(settings).filter(([key, value]) => !isDefault(key, value)));
}
