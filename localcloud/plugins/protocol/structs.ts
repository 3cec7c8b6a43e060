import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { Archive, Asset, ResourceReference, Secret, Unknown, isObject, unknown } from './values';
import type { Properties, Value } from './values';

// The encoding of values that JSON does not have: sdk/go/common/resource/plugin/rpc.go of pulumi/pulumi.
const signatureKey = '4dabf18193072939515e22adb298388d';
const signatures = {
  secret: '1b47061264138c4ac30d75fd1eb44270',
  asset: 'c44067f5952c0a294b673a41bacd8c17',
  archive: '0def7320c3a5731c473e5ecbe6d01bc7',
  resource: '5cf8f73096256a8f31e491e813e4eb8e',
  output: 'd0e6a833031e9bbcd3f4e8bde6ca49a4',
};
const unknownText = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const unknownSentinels = new Set([
  unknownText,
  '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7', // boolean
  '3eeb2bf0-c639-47a8-9e75-3b44932eb421', // number
  '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2', // array
  '030794c1-ac77-496b-92df-f27374a8bd58', // asset
  'e48ece36-62e2-4504-bad9-02848725956a', // archive
  'dd056dcd-154b-4c76-9bd3-c8f88648b5ff', // object
]);

/** Decodes the properties of a message's struct; none if there is no struct. */
export function decode(struct: Struct | undefined): Properties {
  if (struct === undefined) return {};
  return Object.fromEntries(
    Object.entries(struct.toJavaScript()).map(([key, value]) => [key, decodeValue(value)]),
  );
}

/** Encodes properties as a message's struct. */
export function encode(properties: Properties): Struct {
  return Struct.fromJavaScript(encodeObject(properties));
}

type JavaScriptObject = { [key: string]: JavaScriptValue };

function decodeValue(value: JavaScriptValue): Value {
  if (typeof value === 'string') return unknownSentinels.has(value) ? unknown : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(decodeValue);
  const object = value as JavaScriptObject;
  const signature = object[signatureKey];
  return typeof signature === 'string' ? decodeSpecial(signature, object) : decodeMembers(object);
}

function decodeMembers(object: JavaScriptObject): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, decodeValue(value)]));
}

function decodeSpecial(signature: string, object: JavaScriptObject): Value {
  switch (signature) {
    case signatures.secret:
      return new Secret(decodeValue(object['value'] ?? null));
    case signatures.output: {
      const value = object['value'] === undefined ? unknown : decodeValue(object['value']);
      return object['secret'] === true ? new Secret(value) : value;
    }
    case signatures.resource: {
      const id = object['id'] === undefined ? undefined : decodeValue(object['id']);
      return new ResourceReference(
        text(object, 'urn') ?? '',
        id instanceof Unknown || id === '' ? unknown : typeof id === 'string' ? id : undefined,
        text(object, 'packageVersion'),
      );
    }
    case signatures.asset:
      return new Asset(fileSource(object) ?? { text: text(object, 'text') ?? '' }, text(object, 'hash'));
    case signatures.archive: {
      const assets = object['assets'];
      const members = typeof assets === 'object' && assets !== null && !Array.isArray(assets) ? assets : {};
      const source = fileSource(object) ?? { assets: decodeMembers(members as JavaScriptObject) };
      return new Archive(source, text(object, 'hash'));
    }
    default:
      throw new Error(
        `a property has the unknown signature '${signature}': the engine is newer than this plugin`,
      );
  }
}

function fileSource(object: JavaScriptObject): { path: string } | { uri: string } | undefined {
  const path = text(object, 'path');
  if (path) return { path };
  const uri = text(object, 'uri');
  return uri ? { uri } : undefined;
}

function text(object: JavaScriptObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' ? value : undefined;
}

function encodeValue(value: Value): JavaScriptValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(encodeValue);
  if (value instanceof Unknown) return unknownText;
  if (value instanceof Secret) {
    return { [signatureKey]: signatures.secret, value: encodeValue(value.value) };
  }
  if (value instanceof Asset) {
    return present({ [signatureKey]: signatures.asset, ...value.source, hash: value.hash });
  }
  if (value instanceof Archive) {
    const source = 'assets' in value.source ? { assets: encodeObject(value.source.assets) } : value.source;
    return present({ [signatureKey]: signatures.archive, ...source, hash: value.hash });
  }
  if (value instanceof ResourceReference) {
    return present({
      [signatureKey]: signatures.resource,
      urn: value.urn,
      id: value.id === undefined ? undefined : encodeValue(value.id),
      packageVersion: value.packageVersion,
    });
  }
  return isObject(value) ? encodeObject(value) : null;
}

function encodeObject(object: { [key: string]: Value | undefined }): JavaScriptObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, encodeValue(value)]],
    ),
  );
}

function present(object: { [key: string]: JavaScriptValue | undefined }): JavaScriptObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
