import type { Change, Renamed } from './versionChanges';
import { CHANGES } from './versionChanges';

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isMissing = (value: unknown): boolean => value === undefined || value === null;
const lastOf = (path: string): string => path.split('.').at(-1) ?? '';

/**
 * Finds the objects that have, or could have, the last member of the path.
 *
 * @param make creates missing objects on the way, but no lists
 */
function holders(root: Members, path: string, make = false): Members[] {
  return path
    .split('.')
    .slice(0, -1)
    .reduce<Members[]>(
      (objects, segment) =>
        objects.flatMap((object) => {
          const name = segment.replace('[]', '');
          if (make && name === segment && isMissing(object[name])) object[name] = {};
          return [object[name]].flat().filter(isObject);
        }),
      [root],
    );
}

function write(root: Members, path: string, value: unknown): void {
  for (const holder of holders(root, path, true)) holder[lastOf(path)] = value;
}

/** Removes the member. If that leaves its parent below `properties` empty, removes the parent too. */
function remove(root: Members, path: string): void {
  for (const holder of holders(root, path)) Reflect.deleteProperty(holder, lastOf(path));
  const parent = path.split('.').slice(0, -1).join('.');
  if (parent.split('.').length < 2) return;
  for (const holder of holders(root, parent)) {
    const left = holder[lastOf(parent)];
    if (isObject(left) && Object.keys(left).length === 0) Reflect.deleteProperty(holder, lastOf(parent));
  }
}

function move(root: Members, from: string, to: string, convert: (value: unknown) => unknown): void {
  for (const holder of holders(root, from)) {
    const value = holder[lastOf(from)];
    if (isMissing(value)) continue;
    if (from === to) holder[lastOf(from)] = convert(value);
    else write(root, to, convert(value));
  }
  if (from !== to) remove(root, from);
}

function newer({ values = {}, units }: Renamed, value: unknown): unknown {
  if (units !== undefined && typeof value === 'number') return value / units;
  return Object.entries(values).find(([, older]) => older === value)?.[0] ?? value;
}

function older({ values = {}, units }: Renamed, value: unknown): unknown {
  if (units !== undefined && typeof value === 'number') return value * units;
  return typeof value === 'string' && value in values ? values[value] : value;
}

/** Refuses a value that the version does not have yet, or no longer has. */
function checkValues(root: Members, change: Renamed, isOlder: boolean): void {
  const { member, values = {}, refused } = change;
  if (refused === undefined) return;
  const wrong = isOlder ? Object.keys(values) : Object.values(values);
  for (const holder of holders(root, member)) {
    const value = holder[lastOf(member)];
    if (typeof value === 'string' && wrong.includes(value)) throw refused(value);
  }
}

function readIn(requested: Members, change: Change, put: boolean, existing: Members | undefined): void {
  const { member } = change;
  if (change.kind === 'renamed') {
    move(requested, change.older ?? member, member, (value) => newer(change, value));
    return;
  }
  if (change.kind === 'removed') {
    remove(requested, member);
    return;
  }
  if (!put || (change.kind === 'default' && existing !== undefined)) return;
  const current = existing === undefined || member.includes('[]') ? [] : holders(existing, member);
  const meant = current[0]?.[lastOf(member)] ?? change.value;
  if (meant === undefined) return;
  for (const holder of holders(requested, member, true)) {
    if (isMissing(holder[lastOf(member)])) holder[lastOf(member)] = meant;
  }
}

/**
 * Converts a request's body to the newest version of the type.
 *
 * @param put whether the request creates or replaces a resource
 * @param existing the resource as in an answer of the newest version; undefined if there is none
 */
export function inNewestVersion(
  type: string,
  version: string,
  body: unknown,
  put: boolean,
  existing: Members | undefined,
): unknown {
  const changes = CHANGES[type] ?? [];
  if (changes.length === 0 || !isObject(body)) return body;
  const requested = structuredClone(body);
  for (const change of changes) {
    const isOlder = version < change.since;
    if (change.kind === 'renamed') checkValues(requested, change, isOlder);
    if (isOlder) readIn(requested, change, put, existing);
  }
  return requested;
}

const namespaceOf = (type: string): string => type.split('/')[0] ?? '';

function shownIn(type: string, version: string, item: unknown): unknown {
  // Lists of resources of any type have an API version of the resource manager, not of the types.
  if (!isObject(item) || namespaceOf(String(item['type'])) !== namespaceOf(type)) return item;
  const changes = (CHANGES[String(item['type'])] ?? []).filter(({ since }) => version < since);
  if (changes.length === 0) return item;
  const shown = structuredClone(item);
  for (const change of changes) {
    if (change.kind === 'added') remove(shown, change.member);
    if (change.kind === 'renamed') {
      move(shown, change.member, change.older ?? change.member, (value) => older(change, value));
    }
  }
  return shown;
}

/** Converts an answer's body, a resource or a list, to the version. @param type of the endpoint that answers */
export function inVersion(type: string, version: string, body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body['value'])) return shownIn(type, version, body);
  return { ...body, value: body['value'].map((item) => shownIn(type, version, item)) };
}
