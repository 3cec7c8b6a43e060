import { containsUnknown, reveal, unknown, type CheckFailure, type Properties } from '../protocol';
import { valueAt, withValueAt } from '../resources/propertyPath';
import type { Resource } from './catalogue';
import { createBeforeDeleteMark } from './diff';
import { generateName, type NameSeed } from './naming';
import { nameInput, pathInputs } from './resourceId';

/** Returns the inputs with a name. A generated name never changes. */
export function withName(resource: Resource, olds: Properties, news: Properties, seed: NameSeed): Properties {
  const name = nameInput(resource.path);
  if (resource.autoName === undefined || valueAt(news, name) !== undefined) return news;
  const kept = olds[name];
  if (kept !== undefined) {
    const mark = olds[createBeforeDeleteMark];
    return { ...news, [name]: kept, ...(mark === undefined ? {} : { [createBeforeDeleteMark]: mark }) };
  }
  const named = withValueAt(news, name, generateName(resource.autoName, seed));
  return resource.autoName === 'copy' ? named : { ...named, [createBeforeDeleteMark]: true };
}

/**
 * Returns the inputs with a location. The default is the previous location, else the provider's or the resource group's.
 *
 * @param groupLocation returns a resource group's location; undefined if it does not exist
 */
export async function withLocation(
  resource: Resource,
  olds: Properties,
  news: Properties,
  configured: string | undefined,
  groupLocation: (resourceGroup: string) => Promise<string | undefined>,
): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
  if (!resource.defaultLocation || news['location'] !== undefined) return { inputs: news, failures: [] };
  const known = olds['location'] ?? configured;
  if (known !== undefined) return { inputs: { ...news, location: known }, failures: [] };

  // A resource group itself has no resource group.
  const group = pathInputs(resource.path).length > 1 ? news['resourceGroupName'] : undefined;
  if (containsUnknown(group)) return { inputs: { ...news, location: unknown }, failures: [] };
  const name = group === undefined ? undefined : reveal(group);
  const location = typeof name === 'string' ? await groupLocation(name) : undefined;
  if (location !== undefined) return { inputs: { ...news, location }, failures: [] };
  const reason =
    "missing required property 'location'. Either set it explicitly or configure it with 'pulumi config set azure-native:location <value>'.";
  return { inputs: news, failures: [{ property: 'location', reason }] };
}
