import type { Properties, Value } from '../../protocol';
import { Secret, isObject, isUnknown, reveal } from '../../protocol';
import type { Kind } from '../client/kinds';
import { withSdkKeys } from '../json';

/**
 * Returns the inputs in the API server's stored form. `stringData` of a Secret becomes `data`, because the server never
 * returns `stringData`.
 */
export function normalize(kind: Kind, inputs: Properties): Properties {
  if (kind.kind === 'CustomResourceDefinition') return mapProperties(inputs, withSdkKeys);
  if (kind.group !== '' || kind.kind !== 'Secret') return inputs;
  const { stringData, data, ...rest } = inputs;
  const texts = reveal(stringData ?? null);
  const bytes = reveal(data ?? null);
  if (isUnknown(texts) || isUnknown(bytes)) return { ...rest, data: new Secret(texts ?? bytes) };
  const merged = {
    ...(isObject(bytes) ? mapValues(bytes, canonicalBase64) : {}),
    // stringData takes precedence, as on the server (pkg/apis/core/v1/conversion.go of Kubernetes).
    ...(isObject(texts) ? mapValues(texts, (text) => Buffer.from(text).toString('base64')) : {}),
  };
  if (Object.keys(merged).length === 0) return data === undefined ? rest : { ...rest, data };
  return { ...rest, data: new Secret(merged) };
}

function mapProperties(properties: Properties, map: (value: Value) => Value): Properties {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, map(value)]));
}

function mapValues(object: Record<string, Value>, map: (text: string) => string): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, typeof value === 'string' ? map(value) : value]),
  );
}

/** Returns base64 in its canonical form. Invalid base64 stays unchanged, so that the API server reports it. */
function canonicalBase64(text: string): string {
  const decoded = Buffer.from(text, 'base64');
  const encoded = decoded.toString('base64');
  return encoded.replace(/=+$/, '') === text.replace(/\s/g, '').replace(/=+$/, '') ? encoded : text;
}
