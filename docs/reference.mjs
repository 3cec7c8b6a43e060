// Writes the reference parts of the pages (between the markers) from the sources: the configuration's fields from
// its schema, the parity table from the local cloud's own. `--check` only compares, for the tests.
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

function rows(schema, prefix) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    const required = schema.required?.includes(name) === true && field.default === undefined;
    const fallback = required
      ? 'required'
      : field.default === undefined || typeof field.default === 'object'
        ? ''
        : `\`${field.default}\``;
    const own = `| \`${key}\` | ${cell(field.description ?? '')} | ${cell(field.allowed ?? '')} | ${fallback} |`;
    const inner = field.type === 'array' ? rows(field.items ?? {}, `${key}[]`) : rows(field, key);
    return [own, ...inner];
  });
}

function configurationTable(stackSchema) {
  const schema = z.toJSONSchema(stackSchema, { io: 'input', unrepresentable: 'any' });
  return ['| key | meaning | allowed | default |', '| --- | --- | --- | --- |', ...rows(schema, '')].join(
    '\n',
  );
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

const check = process.argv.includes('--check');
const { stackSchema } = await load('stacks/schema.ts');
const { parityTable } = await load('localcloud/azure/parity.ts');
await replaceSection('configuration.md', 'fields', configurationTable(stackSchema), check);
await replaceSection('local-cloud.md', 'parity', parityTable(), check);
