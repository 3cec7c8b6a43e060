// Generates documentation from the sources: the JSON schemas for editors, and in the pages, between markers, the
// configuration's fields and the parity table. `--check` only compares, for the tests.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';

const docs = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(docs);

async function load(file) {
  const folder = await mkdtemp(path.join(tmpdir(), 'aks-wi-docs-'));
  try {
    const outfile = path.join(folder, 'module.cjs');
    await build({
      entryPoints: [path.join(root, file)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'warning',
    });
    return (await import(pathToFileURL(outfile).href)).default;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const cell = (text) => text.replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns the rows of a field and of its own fields, in every shape that it can have. */
function rows(field, key, required, shared) {
  const fallback = required
    ? 'required'
    : field.default === undefined || typeof field.default === 'object'
      ? ''
      : `\`${field.default}\``;
  const section = shared.get(shapeOf(field));
  const meaning = [field.description, section === undefined ? undefined : `Fields: ${linkTo(section)}.`];
  const own = `| \`${key}\` | ${cell(meaning.filter(Boolean).join(' '))} | ${cell(field.allowed ?? '')} | ${fallback} |`;
  return section === undefined ? [own, ...inner(field, key, shared)] : [own];
}

function inner(field, key, shared) {
  const shapes = alternatives(field);
  const all = shapes.flatMap((shape) => {
    if (shape.type === 'array') {
      // The row of a list of single values already has the allowed values.
      return isComposed(shape.items) ? inner(shape.items, `${key}[]`, shared) : [];
    }
    const named = Object.entries(shape.properties ?? {}).flatMap(([name, nested]) =>
      rows(
        nested,
        key === '' ? name : `${key}.${name}`,
        // A field is required only if all shapes require it.
        shapes.every((other) => other.properties === undefined || isRequired(other, name)),
        shared,
      ),
    );
    const any = shape.additionalProperties;
    return [...named, ...(isComposed(any) ? inner(any, `${key}.*`, shared) : [])];
  });
  // A field of several shapes is listed once, for the first of them.
  const keyOf = (row) => row.split(' | ', 1)[0];
  return all.filter((row, place) => all.findIndex((other) => keyOf(other) === keyOf(row)) === place);
}

const alternatives = (field) => field.anyOf ?? field.oneOf ?? [field];

/** Tells whether a field has its own fields. */
function isComposed(field) {
  return (
    typeof field === 'object' &&
    [field, ...alternatives(field)].some(
      ({ properties, type }) => properties !== undefined || type === 'array',
    )
  );
}

const isRequired = (schema, name) =>
  schema.required?.includes(name) === true && schema.properties[name]?.default === undefined;

const elementOf = (field) => (field.type === 'array' ? field.items : field);

/** Returns what two fields with the same own fields have in common, whatever they mean. */
function shapeOf(field) {
  const { description: _, default: _default, allowed: _allowed, ...shape } = elementOf(field);
  return JSON.stringify(shape);
}

/** Returns the shapes with at least two fields that fields of several paths have, each with its name. */
function sharedShapes(schema) {
  const uses = new Map();
  const visit = (field, key) => {
    if (!isComposed(field)) return;
    const element = elementOf(field);
    const shape = shapeOf(field);
    const known = uses.get(shape);
    uses.set(shape, { element, paths: [...new Set(known?.paths).add(key)] });
    if (known !== undefined) return;
    const path = element === field ? key : `${key}[]`;
    for (const { properties = {}, additionalProperties } of alternatives(element).map(elementOf)) {
      for (const [name, nested] of Object.entries(properties))
        visit(nested, path === '' ? name : `${path}.${name}`);
      if (isComposed(additionalProperties)) visit(additionalProperties, `${path}.*`);
    }
  };
  visit(schema, '');
  const shared = [...uses]
    .map(([shape, use]) => ({ shape, ...use }))
    .filter(({ element, paths }) => paths.length > 1 && inner(element, '', new Map()).length > 1);
  const lastOf = ({ paths: [first] }) => first.split('.').at(-1);
  return shared.map((shape) => ({
    ...shape,
    name: shared.some((other) => other !== shape && lastOf(other) === lastOf(shape))
      ? shape.paths[0]
      : lastOf(shape),
  }));
}

const linkTo = (name) => `[${name}](#fields-of-${name.replaceAll(/[^\w-]/gu, '').toLowerCase()})`;

/** Keeps a table as it is: aligned to its longest text, it would be mostly spaces. */
const unaligned = (text) => `<!-- prettier-ignore -->\n${text}`;

const table = (lines) =>
  unaligned(['| key | meaning | allowed | default |', '| --- | --- | --- | --- |', ...lines].join('\n'));

/** Returns a table of the keys of the file, one for each key with many own fields, and one for each shared shape. */
function fieldTables(zodSchema) {
  const schema = z.toJSONSchema(zodSchema, { io: 'input', unrepresentable: 'any' });
  const shapes = sharedShapes(schema);
  const shared = new Map(shapes.map(({ shape, name }) => [shape, name]));
  const fields = Object.entries(schema.properties);
  const isLarge = ([name, field]) => !shared.has(shapeOf(field)) && inner(field, name, shared).length > 4;
  return [
    table(
      fields.flatMap((entry) => {
        const [name, field] = entry;
        const all = rows(field, name, isRequired(schema, name), shared);
        return isLarge(entry) ? all.slice(0, 1) : all;
      }),
    ),
    ...fields
      .filter(isLarge)
      .map(([name, field]) => `### \`${name}\`\n\n${table(inner(field, name, shared))}`),
    ...shapes.map(
      ({ element, name, paths }) =>
        `### Fields of \`${name}\`\n\nOf ${paths.map((key) => `\`${key}\``).join(', ')}.\n\n${table(inner(element, '', shared))}`,
    ),
  ].join('\n\n');
}

async function replaceSection(page, name, text, check) {
  const file = path.join(docs, page);
  const old = await readFile(file, 'utf8');
  const begin = `<!-- ${name}: generated by npm run reference -->`;
  const end = `<!-- end of ${name} -->`;
  const from = old.indexOf(begin);
  const to = old.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${page} lacks the markers of ${name}`);
  const unformatted = `${old.slice(0, from)}${begin}\n\n${text.trim()}\n\n${old.slice(to)}`;
  const fresh = await format(unformatted, { ...(await resolveConfig(file)), filepath: file });
  if (fresh === old) return;
  if (check) {
    console.error(`docs/${page}: ${name} is older than its source. Run: npm run reference`);
    process.exitCode = 1;
  } else await writeFile(file, fresh);
}

/** Replaces a file that is generated as a whole. */
async function replaceFile(name, value, check) {
  const file = path.join(root, name);
  const old = await readFile(file, 'utf8').catch(() => '');
  const fresh = await format(JSON.stringify(value), { ...(await resolveConfig(file)), filepath: file });
  if (fresh === old) return;
  if (check) {
    console.error(`${name} is older than its source. Run: npm run reference`);
    process.exitCode = 1;
  } else await writeFile(file, fresh);
}

/** Returns the table of a section of the known failures. */
function failureTable(columns, failures) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  const rows = failures.map(({ failure, cause, hint }) => row([failure, cause, hint]));
  return [row(columns), row(columns.map(() => '---')), ...rows].join('\n');
}

const check = process.argv.includes('--check');
const { releaseFileJsonSchema, stackFileSchema } = await load('stacks/settings/editorSchema.ts');
const { stackSchema } = await load('stacks/settings/schema/index.ts');
const { releasable } = await load('stacks/settings/schema/releases.ts');
const { parityTable } = await load('localcloud/azure/parity.ts');
await replaceFile('schemas/stack.schema.json', stackFileSchema(), check);
await replaceFile('schemas/application.schema.json', releaseFileJsonSchema('applications'), check);
await replaceFile('schemas/hosted-cluster.schema.json', releaseFileJsonSchema('hostedClusters'), check);
await replaceSection('configuration.md', 'fields', fieldTables(stackSchema), check);
await replaceSection('promote.md', 'fields', fieldTables(releasable.applications.file), check);
const knownFailures = JSON.parse(await readFile(path.join(root, 'cli/doctor/failures.json'), 'utf8'));
for (const [name, { columns, failures }] of Object.entries(knownFailures))
  await replaceSection('troubleshooting.md', name, failureTable(columns, failures), check);
await replaceSection('local-cloud.md', 'parity', unaligned(parityTable()), check);
