/**
 * A field in compact notation: `string`, `number`, `boolean`, `any`, the name of a type in {@link Shapes.types}, `[x]` for
 * a list of x, or `{x}` for a map of x. `!` at the end means that the field is always present.
 */
export type FieldNotation = string;

export type Fields = Record<string, FieldNotation>;

/** The fields of a resource type or a function. */
interface Declaration {
  /** The API version that its documentation names. */
  apiVersion?: string;
  inputs: Fields;
  outputs: Fields;
}

/** Names and kinds of all inputs and outputs that the npm package declares for the plugin's types. */
export interface Shapes {
  /** Version of the npm package. */
  version: string;
  resources: Record<string, Declaration>;
  functions: Record<string, Declaration>;
  types: Record<string, Fields>;
}

export type Shape =
  | { kind: 'string' | 'number' | 'boolean' | 'any' }
  | { kind: 'list' | 'map'; of: Shape }
  | { kind: 'object'; fields: Record<string, Field> };

export interface Field {
  required: boolean;
  /** Evaluated on demand, because nested types may be recursive. */
  shape(): Shape;
}

/** Returns the fields of a resource, a function or a nested type, with references to nested types resolved. */
export function readFields(shapes: Pick<Shapes, 'types'>, fields: Fields): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, notation]) => [
      name,
      { required: notation.endsWith('!'), shape: () => parse(shapes, notation.replace(/!$/, '')) },
    ]),
  );
}

function parse(shapes: Pick<Shapes, 'types'>, notation: string): Shape {
  switch (notation) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return { kind: notation };
  }
  if (notation.startsWith('[')) return { kind: 'list', of: parse(shapes, notation.slice(1, -1)) };
  if (notation.startsWith('{')) return { kind: 'map', of: parse(shapes, notation.slice(1, -1)) };
  const type = shapes.types[notation];
  if (type === undefined) throw new Error(`the table of shapes has no type '${notation}'`);
  return { kind: 'object', fields: readFields(shapes, type) };
}
