import { isRecord } from '../../stacks/offline';
import { isUnknown, secretValue, type Inputs } from '../preview';

/**
 * The inputs to record for a resource that was imported: what the program says, with the values that Azure has. A provider
 * reads everything that could have been an input, and the next update would try to unset what the program leaves to
 * Azure, or replace the resource for it (pulumi-azure-native #3586).
 * @param read what the provider read from Azure
 * @param wanted what the program says
 * @param input the input that both are the value of; undefined of all inputs
 */
export function recordedInputs(read: Inputs, wanted: Inputs, input?: string): Inputs {
  const values = Object.entries(wanted).map(([key, value]): [string, unknown] => [
    key,
    recordedValue(read[key], value, input ?? key),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function recordedValue(read: unknown, wanted: unknown, input: string): unknown {
  if (isUnknown(wanted) || wanted === secretValue) return read;
  // Many services leave out an empty list and a false.
  const isEmpty = wanted === false || (Array.isArray(wanted) && wanted.length === 0);
  if ((read === undefined && isEmpty) || normal(read, input) === normal(wanted, input)) return wanted;
  if (isRecord(read) && isRecord(wanted)) return recordedInputs(read, wanted, input);
  if (Array.isArray(read) && Array.isArray(wanted) && read.length === wanted.length) {
    return wanted.map((item: unknown, index) => recordedValue(read[index], item, input));
  }
  return read;
}

/**
 * What has to be the same for a value to be the same in Azure: tags as they are, ids and names in any case, lists of them in
 * any order, a region with or without spaces.
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
