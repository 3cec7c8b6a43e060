import { isRecord } from '../../components/resource/fields';
import { isUnknown, secretValue, type Inputs } from '../preview';

/**
 * Returns the inputs to record for an imported resource: those that the program sets, with Azure's values. A provider reads
 * every possible input. Because of the others, the next update would unset values that the program leaves to Azure, or
 * replace the resource (pulumi-azure-native #3586).
 * @param read values that the provider read from Azure
 * @param declared values that the program sets
 * @param input input that both values are of; undefined for all inputs
 */
export function recordedInputs(read: Inputs, declared: Inputs, input?: string): Inputs {
  const values = Object.entries(declared).map(([key, value]): [string, unknown] => [
    key,
    recordedValue(read[key], value, input ?? key),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function recordedValue(read: unknown, declared: unknown, input: string): unknown {
  if (isUnknown(declared) || declared === secretValue) return read;
  // Many services omit an empty list and a false.
  const isEmpty = declared === false || (Array.isArray(declared) && declared.length === 0);
  if ((read === undefined && isEmpty) || normal(read, input) === normal(declared, input)) return declared;
  if (isRecord(read) && isRecord(declared)) return recordedInputs(read, declared, input);
  if (Array.isArray(read) && Array.isArray(declared) && read.length === declared.length) {
    return declared.map((item: unknown, index) => recordedValue(read[index], item, input));
  }
  return read;
}

/**
 * Returns a normal form: values with the same form are the same in Azure. Tags are compared exactly, ids and names in any case,
 * lists of them in any order, and regions with or without spaces.
 */
function normal(value: unknown, input: string): string {
  if (Array.isArray(value))
    return value
      .map((item) => normal(item, input))
      .sort()
      .join();
  const text = JSON.stringify(value ?? null);
  if (input === 'tags') return text;
  return (input === 'location' ? text.replaceAll(' ', '') : text).toLowerCase();
}
