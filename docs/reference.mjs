// Writes from the sources what would otherwise be written twice: the JSON schemas for editors, and in the pages, between
// markers, the configuration's fields and the parity table. `--check` only compares, for the tests.
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

/** The rows of a field and of what is in it; every shape of a field that has several. */
function rows(field, key, required) {
  const fallback = required
    ? 'required'
    : field.default === undefined || typeof field.default === 'object'
      ? ''
      : `\`${field.default}\``;
  const own = `| \`${key}\` | ${cell(field.description ?? '')} | ${cell(field.allowed ?? '')} | ${fallback} |`;
  return [own, ...inner(field, key)];
}

function inner(field, key) {
  const shapes = field.anyOf ?? field.oneOf ?? [field];
  const all = shapes.flatMap((shape) => {
    if (shape.type === 'array') {
      // Of a list of single values, the row of the list says what is allowed.
      return isComposed(shape.items) ? inner(shape.items, `${key}[]`) : [];
    }
    const named = Object.entries(shape.properties ?? {}).flatMap(([name, nested]) =>
      rows(
        nested,
        `${key}.${name}`,
        // What one of several shapes needs, another has not.
        shapes.every((one) => one.properties === undefined || isRequired(one, name)),
      ),
    );
    const any = shape.additionalProperties;
    return [...named, ...(isComposed(any) ? inner(any, `${key}.*`) : [])];
  });
  // What several shapes have is listed once, for the first.
  const keyOf = (row) => row.split(' | ', 1)[0];
  return all.filter((row, place) => all.findIndex((other) => keyOf(other) === keyOf(row)) === place);
}

/** Whether a field has fields of its own. */
function isComposed(field) {
  return (
    typeof field === 'object' &&
    [field, ...(field.anyOf ?? field.oneOf ?? [])].some(
      ({ properties, type }) => properties !== undefined || type === 'array',
    )
  );
}

const isRequired = (schema, name) =>
  schema.required?.includes(name) === true && schema.properties[name]?.default === undefined;

const table = (lines) =>
  ['| key | meaning | allowed | default |', '| --- | --- | --- | --- |', ...lines].join('\n');

/** A table of the keys of the file, and one of each key that has many of its own. */
function fieldTables(zodSchema) {
  const schema = z.toJSONSchema(zodSchema, { io: 'input', unrepresentable: 'any' });
  const fields = Object.entries(schema.properties);
  const isLarge = ([name, field]) => inner(field, name).length > 4;
  return [
    table(
      fields.flatMap((entry) => {
        const [name, field] = entry;
        const all = rows(field, name, isRequired(schema, name));
        return isLarge(entry) ? all.slice(0, 1) : all;
      }),
    ),
    ...fields.filter(isLarge).map(([name, field]) => `### \`${name}\`\n\n${table(inner(field, name))}`),
  ].join('\n\n');
}

async function replaceSection(page, name, text, check) {
  const file = path.join(docs, page);
  const old = await readFile(file, 'utf8');
  const begin = `<!-- ${name}: made by npm run reference -->`;
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

/** A file that is made as a whole. */
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
await replaceSection('local-cloud.md', 'parity', parityTable(), check);
