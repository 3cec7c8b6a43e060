import { isUnknown, reveal, type Properties } from '../protocol';
import { valueAt, withValueAt } from '../resources/propertyPath';

/** Returns the names of the inputs in a path template, in order, without the subscription. */
export function pathInputs(template: string): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => name !== 'subscriptionId');
}

/** Returns the name of the input with the resource's own name. */
export function nameInput(template: string): string {
  return pathInputs(template).at(-1) ?? '';
}

/** Inputs that are resource ids: the scope of an extension resource. */
const manySegments = new Set(['scope', 'resourceUri']);

export function resourceId(template: string, inputs: Properties, subscriptionId: string): string {
  return template.replace(/\/?\{([^}]+)\}/g, (part: string, name: string) => {
    const value = name === 'subscriptionId' ? subscriptionId : valueAt(inputs, name);
    const text = value === undefined ? undefined : reveal(value);
    if (typeof text !== 'string' || text === '' || isUnknown(text)) {
      throw new Error(`'${name}' has no value, but the resource's id contains it`);
    }
    // A scope is a resource id, with or without its leading slash.
    return `${part.startsWith('/') ? '/' : ''}${text.replace(/^\/+/, '')}`;
  });
}

/**
 * Returns the inputs in a resource id.
 *
 * @throws if the id does not match the template
 */
export function parseResourceId(template: string, id: string): Properties {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const pattern = template
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]+)\}/g, (_part, name: string) => (manySegments.has(name) ? '(.+)' : '([^/]+)'));
  const match = new RegExp(`^${pattern}$`, 'i').exec(id);
  if (match === null) throw new Error(`'${id}' is not an id of the form ${template}`);
  return names.reduce<Properties>((inputs, name, index) => {
    const segment = match[index + 1] ?? '';
    if (name === 'subscriptionId') return inputs;
    return withValueAt(inputs, name, `${manySegments.has(name) ? '/' : ''}${segment}`);
  }, {});
}
