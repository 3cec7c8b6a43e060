import {
  isObject,
  type ChangeKind,
  type CheckFailure,
  type Diff,
  type Properties,
  type Value,
} from '../protocol';
import { plain, same } from '../resources/compare';

/** How the inputs of a resource type behave. */
export interface Rules {
  /** Inputs that the local cloud supports; others are refused. */
  supported: readonly string[];
  /** Inputs that can change in place. A change of any other input needs a replacement. */
  updatable: readonly string[];
  /** Inputs whose value the service chooses if the program omits them. */
  chosen: readonly string[];
  /** The official provider's values for omitted inputs. */
  defaults: Readonly<Record<string, Value>>;
  /** Lists whose order is not significant. */
  sets: readonly string[];
}

/** Returns failures for inputs that the local cloud does not support. */
export function unsupportedInputs(rules: Rules, inputs: Properties): CheckFailure[] {
  return Object.keys(inputs)
    .filter((property) => !property.startsWith('__') && !rules.supported.includes(property))
    .map((property) => ({
      property,
      reason: `'${property}' is not supported by the local cloud's azuread plugin: supported are ${rules.supported.join(', ')}`,
    }));
}

/**
 * Returns the differences between the program's inputs and the service's last values. As in Terraform, an input that the
 * service returns in another form than the program writes is a change each time.
 */
export function differences(rules: Rules, state: Properties, news: Properties): Diff {
  const detailed: Record<string, ChangeKind> = {};
  for (const name of rules.supported) {
    const before = normal(rules, name, state[name]);
    const after = normal(rules, name, news[name] ?? rules.defaults[name]);
    if (after === undefined && news[name] === undefined && rules.chosen.includes(name)) continue;
    if (same(before, after)) continue;
    const kind = before === undefined ? 'add' : after === undefined ? 'delete' : 'update';
    detailed[name] = rules.updatable.includes(name) ? kind : `${kind}-replace`;
  }
  const names = Object.keys(detailed);
  return {
    changes: names.length > 0,
    replaces: names.filter((name) => detailed[name]?.endsWith('-replace')),
    diffs: names,
    detailed,
  };
}

/** Returns a value for comparison: a set sorted, and undefined for any empty value, which the provider treats alike. */
function normal(rules: Rules, name: string, value: Value | undefined): Value | undefined {
  const plainValue = plain(value);
  if (plainValue === '' || plainValue === false) return undefined;
  if (isObject(plainValue)) return Object.keys(plainValue).length === 0 ? undefined : plainValue;
  if (!Array.isArray(plainValue)) return plainValue;
  if (plainValue.length === 0) return undefined;
  return rules.sets.includes(name) ? sorted(plainValue) : plainValue;
}

/** Returns a set of strings sorted; a list with other values stays unchanged. */
export function sorted(values: Value[]): Value[] {
  return values.every((value) => typeof value === 'string') ? [...values].sort() : values;
}
