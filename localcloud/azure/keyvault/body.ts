import * as z from 'zod';
import { secretValue } from '../store/secretStore';
import { badParameter } from './errors';

/** Source: azure-rest-api-specs `specification/keyvault/data-plane/Secrets/stable/7.6/secrets.json`. */
const attributes = z
  .strictObject({
    enabled: z.boolean().optional(),
    nbf: z.int().optional(),
    exp: z.int().optional(),
  })
  .optional();
const common = {
  contentType: z.string().max(255).optional(),
  tags: z.record(z.string().max(256), z.string().max(256)).optional(),
  attributes,
};

export const setBody = z.strictObject({
  ...common,
  value: secretValue,
});
export const updateBody = z.strictObject({ ...common, value: z.undefined().optional() });

export const keyOperations = ['encrypt', 'decrypt', 'sign', 'verify', 'wrapKey', 'unwrapKey'] as const;

/**
 * Source: azure-rest-api-specs `specification/keyvault/data-plane/Keys/stable/7.6/keys.json`. Other kinds of keys, and keys
 * with a validity period, are refused.
 */
export const createKeyBody = z.strictObject({
  kty: z.literal('RSA', 'the local cloud has RSA keys only'),
  key_size: z.literal([2048, 3072, 4096]).default(2048),
  key_ops: z.array(z.enum(keyOperations)).optional(),
  tags: common.tags,
  attributes: z.strictObject({ enabled: z.boolean().optional() }).optional(),
});
export const keyOperationBody = z.strictObject({
  alg: z.enum(['RSA-OAEP', 'RSA-OAEP-256']),
  value: z.base64url(),
});

/** Parses the body with the schema; throws an error that names invalid members but never the value. */
export function readBody<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const where = issue.path.map(String).join('.');
    return issue.code === 'unrecognized_keys'
      ? `unknown property ${issue.keys.map((key) => `'${[where, key].filter((part) => part !== '').join('.')}'`).join(', ')}`
      : `'${where}': ${issue.message}`;
  });
  throw badParameter(`The request body is invalid: ${problems.join('; ')}.`);
}
