import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import * as fc from 'fast-check';
import {
  Archive,
  Asset,
  containsSecret,
  containsUnknown,
  markLike,
  ResourceReference,
  reveal,
  Secret,
  unknown,
  type Value,
} from '../../../../plugins/protocol';
import { decode, encode } from '../../../../plugins/protocol/structs';

const signature = '4dabf18193072939515e22adb298388d';

const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    fc.constant<Value>(unknown),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('value'), { maxKeys: 3 }),
    tie('value').map((value) => new Secret(value)),
  ),
}));

describe('structs', () => {
  it('come back as they were sent, with secrets and unknowns', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(decode(encode({ value }))).toEqual({ value });
      }),
    );
  });

  it('carry assets, archives and references to resources', () => {
    const properties = {
      text: new Asset({ text: 'hello' }, 'h'),
      file: new Asset({ path: './a' }),
      archive: new Archive({ assets: { a: new Asset({ uri: 'https://x/' }) } }),
      reference: new ResourceReference('urn:x', 'id', '1.0.0'),
      preview: new ResourceReference('urn:y', unknown),
    };
    expect(decode(encode(properties))).toEqual(properties);
  });

  it.each<[string, { [key: string]: string | boolean }, Value]>([
    ['a known one', { value: 'v' }, 'v'],
    ['a secret one', { value: 'v', secret: true }, new Secret('v')],
    ['an unknown one', {}, unknown],
    ['an unknown secret one', { secret: true }, new Secret(unknown)],
  ])('unwrap output values: %s', (_case, members, expected) => {
    const struct = Struct.fromJavaScript({
      a: { [signature]: 'd0e6a833031e9bbcd3f4e8bde6ca49a4', ...members },
    });
    expect(decode(struct)).toEqual({ a: expected });
  });

  it.each([
    '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
    '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
    '04da6b54-80e4-46f7-96ec-b56ff0331ba9',
  ])('know %s as unknown', (sentinel) => {
    expect(decode(Struct.fromJavaScript({ a: sentinel }))['a']).toBe(unknown);
  });

  it('refuse a signature that they do not know', () => {
    expect(() => decode(Struct.fromJavaScript({ a: { [signature]: 'new' } }))).toThrow(
      /unknown signature 'new'/,
    );
  });

  it('omit undefined values, and are empty if a message has none', () => {
    expect(decode(undefined)).toEqual({});
  });
});

describe('secret marks', () => {
  it('are found and taken away at any depth', () => {
    const value: Value = { a: [new Secret({ b: unknown })] };
    expect(containsSecret(value)).toBe(true);
    expect(containsUnknown(value)).toBe(true);
    expect(reveal(value)).toEqual({ a: [{ b: unknown }] });
    expect(containsSecret(reveal(value))).toBe(false);
  });

  it.each<[string, Value, Value, Value]>([
    ['the same place', { a: 1, b: 2 }, { a: new Secret(1) }, { a: new Secret(1), b: 2 }],
    ['a list of the same length', ['x', 'y'], ['x', new Secret('y')], ['x', new Secret('y')]],
    ['the whole, where shapes differ', ['x'], ['x', new Secret('y')], new Secret(['x'])],
    ['nothing, where nothing is secret', { a: 1 }, { a: 1 }, { a: 1 }],
  ])('are put at %s', (_case, value, marked, expected) => {
    expect(markLike(value, marked)).toEqual(expected);
  });
});
