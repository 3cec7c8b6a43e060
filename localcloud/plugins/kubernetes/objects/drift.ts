import type { Json, JsonObject } from '../json';
import { isJsonObject, sameJson, textAt } from '../json';

/** Members that identify an element of a list: the strategic-merge keys of Kubernetes' own types. */
const itemKeys = [
  'name',
  'key',
  'containerPort',
  'port',
  'mountPath',
  'devicePath',
  'type',
  'topologyKey',
  'ip',
];

/**
 * Returns the inputs with the cluster's current values. An input changes only if the cluster's value has changed since
 * `before` was recorded. If the value in `before` already differed from the input, the server had set it (a default,
 * another spelling of a quantity), and that difference is ignored. Values that are not in the inputs are ignored, too.
 */
export function driftedInputs(inputs: JsonObject, before: JsonObject, now: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([key, input]): [string, Json][] => {
      const drifted = drift(input, before[key], now[key]);
      return drifted === undefined ? [] : [[key, drifted]];
    }),
  );
}

function drift(input: Json, before: Json | undefined, now: Json | undefined): Json | undefined {
  if (sameJson(before, now)) return input;
  if (now === undefined) return undefined;
  if (isJsonObject(input) && isJsonObject(now)) {
    return driftedInputs(input, isJsonObject(before) ? before : {}, now);
  }
  if (Array.isArray(input) && Array.isArray(now))
    return driftedList(input, Array.isArray(before) ? before : [], now);
  return now;
}

function driftedList(input: Json[], before: Json[], now: Json[]): Json[] {
  const key = itemKeys.find((candidate) => identifies(candidate, input) && identifies(candidate, now));
  // A list without keys belongs to one manager as a whole, so an added element is a change.
  if (key === undefined) return now;
  return input.flatMap((item) => {
    const find = (list: Json[]): Json | undefined =>
      list.find((candidate) => isJsonObject(candidate) && isJsonObject(item) && candidate[key] === item[key]);
    const drifted = drift(item, find(before), find(now));
    return drifted === undefined ? [] : [drifted];
  });
}

function identifies(key: string, list: Json[]): boolean {
  const values = list.map((item) => (isJsonObject(item) ? item[key] : undefined));
  return values.every((value) => value !== undefined) && new Set(values).size === values.length;
}

/** Returns the inputs of an imported object: everything except what the server and controllers add. */
export function importedInputs(live: JsonObject): JsonObject {
  const { status: _status, metadata, ...rest } = live;
  if (!isJsonObject(metadata)) return rest;
  const serverFields = [
    'creationTimestamp',
    'generation',
    'managedFields',
    'resourceVersion',
    'selfLink',
    'uid',
  ];
  const kept = Object.entries(metadata).filter(([key]) => !serverFields.includes(key));
  const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  const ownAnnotations = Object.entries(annotations).filter(([key]) => !controllerAnnotations.includes(key));
  const trimmed = Object.fromEntries(kept.filter(([key]) => key !== 'annotations'));
  return {
    ...rest,
    metadata: {
      ...trimmed,
      ...(ownAnnotations.length > 0 && { annotations: Object.fromEntries(ownAnnotations) }),
    },
  };
}

const controllerAnnotations = [
  'deployment.kubernetes.io/revision',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** Tells whether the field manager has applied `applied` to the object before. */
export function isManagedBy(live: JsonObject, fieldManager: string, applied: JsonObject): boolean {
  const metadata = live['metadata'];
  const entries = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  if (Array.isArray(entries) && entries.length > 0)
    return entries.some((entry) => textAt(entry, 'manager') === fieldManager);
  // An apply of only a name, such as a namespace's, owns no field and leaves no entry in managedFields. It
  // cannot be distinguished from another manager's, but there is nothing to take over either.
  return setsNothing(applied);
}

function setsNothing(applied: JsonObject): boolean {
  const { apiVersion: _version, kind: _kind, metadata, ...fields } = applied;
  const { name: _name, namespace: _namespace, ...more } = isJsonObject(metadata) ? metadata : {};
  return Object.keys(fields).length === 0 && Object.keys(more).length === 0;
}
