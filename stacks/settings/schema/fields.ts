import * as z from 'zod';
import { addressRangePattern } from '../../../components/azure/addressRange';
import { guidPattern } from '../../../components/azure/guid';
import { limits } from '../../../components/azure/limits';
import { nameRule } from '../../../components/azure/naming';
import { hiddenCharacters, hiddenInLines } from '../../../components/resource/visibleText';
import type { NamedType } from '../../../components/azure/naming';
import type { ResourceGroupId, ResourceId } from '../../../components/azure/resourceId';
import { tryParseResourceGroupId, tryParseResourceId } from '../../../components/azure/resourceId';

// Builders of configuration fields. The `meta` of each field has its meaning and its allowed values, for messages, editors and
// the reference.

/** Metadata of a field. */
export interface FieldMeta {
  readonly description: string;
  /** The allowed values in words; completes "Allowed: …". */
  readonly allowed: string;
  /** A valid value. */
  readonly example?: string;
  /** For a union of objects of which each has a key that no other has: these keys, in the order of the objects. */
  readonly discriminatingKeys?: readonly string[];
}

/**
 * Issuers of tokens that Entra accepts: up to 600 characters (Graph, federatedIdentityCredential) that a URL may contain (RFC
 * 3986).
 */
export const issuerPattern = /^https:\/\/(?:(?![?#])[!-~]){1,592}$/;

export const field = <T extends z.ZodType>(schema: T, meta: FieldMeta): T => schema.meta({ ...meta });

/** Returns the schema of an object with exactly these keys; "Allowed: …" lists them. */
export const object = <T extends z.ZodRawShape>(description: string, shape: T) => {
  const keys = Object.keys(shape);
  const required = keys.filter((key) => !z.safeParse(shape[key] ?? z.unknown(), undefined).success);
  const isPart = required.length > 0 && required.length < keys.length;
  const named = and.format((isPart ? required : keys).map((key) => `\`${key}\``));
  return field(z.strictObject(shape), {
    description,
    allowed: `an object ${isPart ? 'with at least' : 'of'} ${named}`,
  });
};

const and = new Intl.ListFormat('en-GB');

export const list = <T extends z.ZodType>(entry: T, description: string, allowed: string) =>
  field(z.array(entry), { description, allowed });

export const record = <K extends z.ZodType<string, string>, V extends z.ZodType>(
  key: K,
  value: V,
  description: string,
  allowed: string,
) => field(z.record(key, value), { description, allowed });

/** Fields of a program of this project that runs in clusters at intervals. */
export const reconcilerFields = (interval: string) => ({
  intervalSeconds: countField(`${interval} Default: 60.`, ...limits.intervalSeconds).optional(),
  image: pattern(
    imagePattern,
    'Image with Node.js 20 or later that runs the program, for clusters that pull from their own registry. Default: the official Node.js image.',
    'an image reference with a tag or a digest',
  ).optional(),
});

/** Paths of YAML files in the project; none may lead out of it. */
export const projectYaml = /^(?!\/|~)(?!(?:.*\/)?\.\.(?:\/|$))[\w./-]+\.ya?ml$/;

/** An image reference with a tag or a digest; registries and clients allow names of 255 characters (OCI distribution). */
export const imagePattern = /^[a-z0-9][\w.:/-]{0,254}(:\w[\w.-]{0,127}|@sha256:[0-9a-f]{64})$/;

/** @param max maximum length where the pattern has no limit of its own; more than any valid value needs */
export const pattern = (regex: RegExp, description: string, allowed: string, max = 512) =>
  field(z.string().max(max).regex(regex), { description, allowed });

/** A string on one line, in any script, without hidden characters. */
const lineOf = (max: number, before = '') =>
  z
    .string()
    .max(max)
    .regex(new RegExp(`^${before}[^${hiddenCharacters}]*$`, 'u'));

/** A string on one line that is not blank. */
export const line = (max: number, description: string, allowed = `a string of up to ${max} characters`) =>
  field(lineOf(max, '(?=.*\\S)'), { description, allowed: `${allowed}, not blank` });

/** A string of any number of lines, without hidden characters. */
export const lines = (max: number) =>
  z
    .string()
    .max(max)
    .regex(new RegExp(`^[^${hiddenInLines}]*$`, 'u'));

/** Names in Kubernetes have up to 253 characters, and up to 317 with a prefix. */
const freeKey = field(lineOf(317), { description: 'A key.', allowed: 'a string of up to 317 characters' });

/** Charts and Kubernetes objects have up to 1 MiB in total. */
const freeValue: z.ZodType = z.lazy(() =>
  field(
    z.union([
      lines(2 ** 20),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(freeValue),
      z.record(freeKey, freeValue),
    ]),
    {
      description: 'A value of any form.',
      allowed: 'strings of visible characters, numbers, true, false, lists and objects',
    },
  ),
);

/** Returns the schema of an object for another program; only its strings are checked, for hidden characters. */
export const freeForm = (description: string, allowed = 'an object') =>
  record(freeKey, freeValue, description, allowed);

/** Returns the schema of the name of a resource in the stack, for which Pulumi has no rule. */
export const nameInStack = (description: string) =>
  line(500, description, 'the name of a resource, such as kv-prod');

export const name = (type: NamedType, description: string) => {
  const { length, pattern: regex, allowed } = nameRule(type);
  // Not a refinement, because a JSON schema for editors cannot contain a function.
  return field(z.string().min(length[0]).max(length[1]).regex(regex), { description, allowed });
};

/** Value of a label of `clusters`. */
const labelValue = field(lineOf(256), {
  description: 'Value of a label.',
  allowed: 'a string of up to 256 characters; numbers and true or false in quotes',
});

export const boolean = (description: string) => field(z.boolean(), { description, allowed: 'true, false' });

export const countField = (description: string, min: number, max: number) =>
  field(z.int().min(min).max(max), { description, allowed: `an integer from ${min} to ${max}` });

/** Returns the fields for the validity of what updates renew. */
export const validity = (what: string) => ({
  validityDays: countField(`Number of days for which a ${what} is valid.`, 2, 730).default(90),
  renewBeforeDays: countField(
    `Number of days before expiry from which an update replaces a ${what}, at most half of \`validityDays\`. During this time, both are accepted.`,
    1,
    364,
  ).default(30),
});

export const choice = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  field(z.enum(values), { description, allowed: values.join(', ') });

/** The tag that names the stack that created a resource. */
export const stackTag = 'pulumi-stack';

/** Returns a pattern that matches a string in any case: resource ids are case-insensitive. */
const anyCase = (text: string) =>
  text
    .replaceAll('.', '\\.')
    .replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/**
 * Azure's rules (azure-docs articles/azure-resource-manager/management/tag-resources.md; the prefixes:
 * Azure/azure-rest-api-specs resources.json, Tags_CreateOrUpdate). Names are case-insensitive.
 */
export const tagName = field(
  z
    .string()
    .max(512)
    .regex(
      new RegExp(
        `^(?!${anyCase(stackTag)}$|${['microsoft', 'azure', 'windows'].map(anyCase).join('|')}|\\s*$)[^<>%&\\\\?/${hiddenCharacters}]*$`,
        'u',
      ),
    ),
  {
    description: 'Name of a tag.',
    allowed: `1 to 512 characters except < > % & \\ ? /, not starting with microsoft, azure or windows, and not ${stackTag}, the tag that names the stack of a resource`,
  },
);

const tagValue = field(lineOf(256), {
  description: 'Value of a tag.',
  allowed: 'a string of up to 256 characters; numbers and true or false in quotes',
});

/** Azure's limit for one resource, the stack's tag included (azure-docs, as above). */
export const maxTags = 50;

export const tags = (description: string) =>
  record(tagName, tagValue, description, `an object of up to ${maxTags - 1} strings`);

/** Returns a pattern for one segment of an id: a name of the type. */
export function segment(type: NamedType): string {
  const { length, pattern: whole } = nameRule(type);
  return `(?=[^/]{${length.join()}}(?:/|$))${whole.source.slice(1, -1)}`;
}

/** Returns a pattern for ids in a resource group of a subscription whose id is a GUID, not a placeholder. */
const idPattern = (rest: string) =>
  new RegExp(
    `^${anyCase('/subscriptions/')}${guidPattern}/${anyCase('resourceGroups/')}${segment('resourceGroup')}${rest}$`,
    'u',
  );

/** Id of an existing resource, with its parts. */
export type ExistingId = ResourceId & { readonly id: string };

/** Id of an existing resource group, with its parts. */
export type ExistingGroupId = ResourceGroupId & { readonly id: string };

/**
 * Returns the schema of the id of an existing resource of `type` (`Microsoft.KeyVault/vaults`).
 * @param names type of its name, or the names that it may have
 */
export const resourceId = (type: string, names: NamedType | readonly string[], description: string) =>
  field(
    z
      .string()
      .regex(
        idPattern(
          `${anyCase(`/providers/${type}/`)}${typeof names === 'string' ? segment(names) : `(${names.map(anyCase).join('|')})`}`,
        ),
      )
      // Whatever matches the pattern has the parts.
      .transform((id) => ({ ...tryParseResourceId(id), id }) as ExistingId),
    {
      description,
      allowed: `/subscriptions/<guid>/resourceGroups/<group>/providers/${type}/<name>, ${typeof names === 'string' ? 'as `az resource show --query id` prints it' : `where <name> is ${names.join(' or ')}`}`,
    },
  );

/** Returns the schema of the id of an existing resource group. */
export const resourceGroupId = (description: string) =>
  field(
    z
      .string()
      .regex(idPattern(''))
      .transform((id) => ({ ...tryParseResourceGroupId(id), id }) as ExistingGroupId),
    {
      description,
      allowed: '/subscriptions/<guid>/resourceGroups/<name>, as `az group show --query id` prints it',
    },
  );

/** Adds `existing: undefined` to a new resource, so that new and existing resources have the same keys. */
export const created = <T extends object>(resource: T) => ({ ...resource, existing: undefined });

/** Adds the name of an existing resource, so that new and existing resources have the same keys. */
export const named = <T extends { readonly existing: { readonly name: string } }>(resource: T) => ({
  ...resource,
  name: resource.existing.name,
});

/** Returns the schema of a resource group: the name of one to create, or the id of an existing one. */
export const resourceGroup = (description: string, existing: string) =>
  field(
    z.union([
      name('resourceGroup', 'Name of the resource group, which the stack creates.').transform(
        (groupName) => ({
          name: groupName,
          existing: undefined,
        }),
      ),
      object('An existing group.', { existing: resourceGroupId(existing) }).transform(named),
    ]),
    {
      description,
      allowed:
        'a name (1 to 90 letters, digits and _ ( ) . -, not ending with a period), or { existing: <resource id> }',
    },
  );

/** Returns the schema of the id of an existing subnet. */
export const subnetId = (description: string) =>
  pattern(
    idPattern(
      `${anyCase('/providers/Microsoft.Network/virtualNetworks/')}${segment('virtualNetwork')}${anyCase('/subnets/')}${segment('subnet')}`,
    ),
    description,
    '/subscriptions/<guid>/resourceGroups/<group>/providers/Microsoft.Network/virtualNetworks/<network>/subnets/<name>',
  );

/** @param what what stays in Azure, in the plural, as the subject of a sentence */
export const retainOnDelete = (what: string) =>
  boolean(
    `true: ${what} stay in Azure when they are removed from the stack file or the stack is destroyed. false: they are deleted.`,
  );

export const addressRange = pattern(
  addressRangePattern,
  'Addresses.',
  'an IPv4 address or range such as 203.0.113.0/24',
);

const labelKey = pattern(
  /^[A-Za-z0-9]([\w./-]{0,251}[A-Za-z0-9])?$/,
  'Name of a label.',
  'letters, digits, . _ / -, starting and ending with a letter or digit',
);

export const labels = (description: string) =>
  record(labelKey, labelValue, description, 'an object of strings, such as { tier: front }');

/** Returns the schema of a selection of clusters, by name or by the labels that they have in this file. */
export const clusterSelection = (description: string) =>
  field(
    z.union([
      field(z.array(name('application', 'Name of a cluster.')).min(1), {
        description: 'Clusters by name.',
        allowed: 'a list of at least one name of a cluster',
      }),
      object('Clusters by their labels.', { labels: labels('Labels, all of which the clusters have.') }),
    ]),
    { description, allowed: 'a list of names of clusters, or { labels: { … } }' },
  );

export const guidField = (description: string) =>
  pattern(new RegExp(`^${guidPattern}$`), description, 'a GUID');

/** Entra's limit (Graph, federatedIdentityCredential). */
export const audience = (description: string) => line(600, description);
