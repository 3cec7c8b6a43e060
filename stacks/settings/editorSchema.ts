import * as z from 'zod';
import { stackSchema } from './schema';
import type { ReleasedList } from './schema/releases';
import { releasable } from './schema/releases';
import { encryptedOnly, project } from './problem';
import { fieldsOf } from '../../components/resource/fields';

// JSON schemas for editors, derived from the configuration's own. They complete keys, show what a field means, and refuse
// invalid single values. Rules across several values are checked by the program and by `aks-wi validate`.

/** A JSON schema of draft 7, the newest that the language servers of editors fully support. */
export type JsonSchema = Record<string, unknown>;

const draft = 'http://json-schema.org/draft-07/schema#';

/** A value that Pulumi has encrypted. */
const secure: JsonSchema = {
  type: 'object',
  properties: { secure: { type: 'string', description: 'The encrypted value.' } },
  required: ['secure'],
  additionalProperties: false,
  description: 'A value that Pulumi has encrypted; `pulumi config set --secret` writes it.',
};

/** Returns the schema of a whole stack file: the configuration under `config`, and Pulumi's own keys. */
export function stackFileSchema(): JsonSchema {
  const { properties, required, definitions } = describe(stackSchema);
  const own = Object.entries(fieldsOf(properties));
  return {
    $schema: draft,
    title: `Stack of ${project}`,
    type: 'object',
    properties: {
      config: {
        type: 'object',
        description: 'The configuration of the stack, by namespace and key.',
        properties: Object.fromEntries(
          own.map(([key, schema]) => [
            `${project}:${key}`,
            encryptedOnly.includes(key) ? encrypted(schema) : schema,
          ]),
        ),
        required: (Array.isArray(required) ? required : []).map((key) => `${project}:${String(key)}`),
        // Keys of other packages are not checked.
        patternProperties: { [`^(?!${project}:)[^:]+:`]: {} },
        additionalProperties: false,
      },
      encryptionsalt: { type: 'string', description: "Pulumi's: salt of the passphrase's key." },
      encryptedkey: { type: 'string', description: "Pulumi's: the encrypted key of the secrets." },
      secretsprovider: { type: 'string', description: "Pulumi's: what encrypts the secrets." },
      environment: { description: "Pulumi's: environments of Pulumi ESC." },
    },
    required: ['config'],
    additionalProperties: false,
    definitions,
  };
}

/** Returns the schema of a release file for the entries of the list. */
export function releaseFileJsonSchema(list: ReleasedList): JsonSchema {
  const { noun, file } = releasable[list];
  return {
    $schema: draft,
    title: `Releases of one ${noun} of ${project}`,
    ...describe(file),
  };
}

/** Returns the schema of an object of secrets: each encrypted, or all of them together. */
function encrypted(schema: unknown): JsonSchema {
  const { description, errorMessage, ...rest } = fieldsOf(schema);
  // The local cloud generates a value for a name without one.
  const values = { anyOf: [secure, { type: 'null' }] };
  return { anyOf: [{ ...rest, additionalProperties: values }, secure], description, errorMessage };
}

function describe(schema: z.ZodType): JsonSchema {
  const json: JsonSchema = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    reused: 'ref',
    override: ({ jsonSchema }) => {
      explain(jsonSchema);
    },
  });
  delete json.$schema;
  return json;
}

/** Turns a field's `meta` into the keywords that editors support. */
function explain(json: JsonSchema): void {
  const { description, allowed, example, default: fallback } = json;
  delete json.allowed;
  delete json.example;
  delete json.discriminatingKeys;
  if (typeof description === 'string') {
    json.description = [
      description,
      ...(typeof allowed === 'string' ? [`Allowed: ${allowed}.`] : []),
      // The default is also in the description, because editors show a default only in completions.
      ...(isSingle(fallback) ? [`Default: ${fallback}.`] : []),
    ].join(' ');
  }
  if (typeof allowed === 'string') json.errorMessage = `Allowed: ${allowed}.`;
  if (example !== undefined) json.examples = [example];
}

function isSingle(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
