import { reveal, type CheckFailure, type Properties } from '../protocol';

/** Which configuration a provider accepts. */
export interface ConfigurationRules {
  plugin: string;
  /** All names that the npm package's `ProviderArgs` declare, including refused ones. */
  declared: ReadonlySet<string>;
  /** Settings for sign-in methods that only the official plugin supports. They are refused, not ignored. */
  refused: readonly string[];
  /** The same, for settings that are off unless they are `true`. */
  refusedIfTrue: readonly string[];
  /** Setting to use in place of a refused one. */
  hint: string;
  /** Names of Azure's clouds that the setting `environment` allows. */
  environments: { allowed: readonly string[]; isAllowed: (name: string) => boolean };
}

/** Returns errors in a provider's configuration. Credentials may be missing: the environment can have them. */
export function checkConfiguration(rules: ConfigurationRules, config: Properties): CheckFailure[] {
  const { plugin, refused, refusedIfTrue, environments } = rules;
  return Object.entries(config).flatMap(([property, secretOrPlain]) => {
    const value = reveal(secretOrPlain);
    if (property.startsWith('__') || value === null || value === '') return [];
    if (!rules.declared.has(property)) {
      return [{ property, reason: `${plugin} has no configuration '${property}'` }];
    }
    const isOn = value === true || value === 'true';
    if (refused.includes(property) || (refusedIfTrue.includes(property) && isOn)) {
      const reason = `'${property}' is not supported by the local cloud's ${plugin} plugin: ${rules.hint}`;
      return [{ property, reason }];
    }
    if (property === 'environment' && typeof value === 'string' && !environments.isAllowed(value)) {
      return [{ property, reason: noEnvironment(value, environments.allowed) }];
    }
    return [];
  });
}

/** Returns the error for a name that is not one of Azure's clouds. */
export function noEnvironment(name: string, allowed: readonly string[]): string {
  return `'${name}' is not an Azure environment: allowed are ${allowed.join(', ')}`;
}

/**
 * Reads settings from a provider's configuration, or else from the environment.
 *
 * @param variables environment variables by setting; the first one that is set counts
 */
export class SettingsReader {
  constructor(
    private readonly plugin: string,
    private readonly config: Properties,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly variables: Readonly<Record<string, readonly string[]>>,
  ) {}

  /** Returns a setting; empty if it is set nowhere. */
  read(key: string): string {
    const configured = this.config[key] === undefined ? undefined : reveal(this.config[key]);
    if (typeof configured === 'string' && configured !== '') return configured;
    if (typeof configured === 'boolean') return String(configured);
    for (const variable of this.variables[key] ?? []) {
      const value = this.environment[variable];
      if (value) return value;
    }
    return '';
  }

  /** Requires settings. @throws an error with the names of all that are missing */
  require(keys: readonly string[]): void {
    const missing = keys.filter((key) => this.read(key) === '');
    if (missing.length === 0) return;
    const hints = missing.map((key) => `${this.plugin}:${key} or ${this.variables[key]?.[0] ?? key}`);
    throw new Error(`${this.plugin} has no credentials: set ${hints.join(', ')}`);
  }
}
