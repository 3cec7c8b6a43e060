import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseDocument } from 'yaml';
import { validate } from '../../../stacks/configuration';
import { checkStackFile, formatPlaced } from '../../../stacks/stackFile';
import { formatProblem, project } from '../../../stacks/settings/problem';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { isRecord } from '../../../components/resource/fields';
import { readReleases } from '../../../stacks/settings/releases/file';
import { projectRoot } from '../../support/command';

// What these do not prove: that what the examples describe comes up; the end-to-end tests deploy those in examples/.

const readFile = projectFiles(projectRoot);
const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const filesIn = (folder: string) =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  );

const stackFiles = [
  ...readdirSync(projectRoot).filter((name) => /^Pulumi\.[^.]+\.yaml$/.test(name)),
  ...filesIn('examples').filter((name) => /\/Pulumi\.[^.]+\.yaml$/.test(name)),
];
const releaseFiles = [...filesIn('applications'), ...filesIn('examples/configurations')].filter((name) =>
  /\/applications\/(?!Pulumi)[^/]+\.yaml$/.test(`/${name}`),
);

describe('the examples', () => {
  it.each(stackFiles)('have a valid stack file: %s', (file) => {
    const environment = file.split('.').at(-2) ?? '';
    const problemsOf = (text: string) =>
      checkStackFile({ environment, file, text }, readFile).problems.map(formatPlaced);
    const text = read(file);
    const document = parseDocument(text);

    // Values that no file in the repository may have: each machine sets its own, as the file says.
    const command = /pulumi config set --secret --path '((secretValues|kubeconfigs)\.[^']+)'/;
    // First those of single values, then those that follow from others.
    for (const _round of ['values', 'relations'])
      for (const unset of problemsOf(document.toString()).map((line) => command.exec(line)?.[1] ?? line)) {
        const [key = '', name = ''] = unset.split('.');
        expect(text).toContain(`pulumi config set --secret --path '${key}.`);
        document.setIn(['config', `${project}:${key}`, name], { secure: `v1:of-${name}` });
      }
    expect(problemsOf(document.toString())).toEqual([]);
  });

  it.each(releaseFiles)('have a valid release file: %s', (file) => {
    expect(readReleases('applications', file, readFile).problems).toEqual([]);
  });

  it('are more than a few', () => {
    expect(stackFiles.length).toBeGreaterThan(6);
    expect(releaseFiles.length).toBeGreaterThan(2);
  });
});

/** Each block of YAML of a page, without its indentation. */
function blocksOf(page: string): string[] {
  return [...read(page).matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gm)].map(
    ([, indentation = '', text = '']) => text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  );
}

const prefix = `${project}:`;

/** At most a year before the dates in the documentation. */
const now = new Date('2027-01-01T00:00:00Z');

/** The settings of a block: keys of a stack file, applications, or fields of one. */
function settingsOf(content: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(content))
    return content.every((item) => isRecord(item) && 'name' in item && !('uses' in item))
      ? { applications: content as unknown[] }
      : undefined;
  if (!isRecord(content) || 'steps' in content || 'releases' in content) return undefined;
  const entries = Object.entries(content);
  return entries.every(([key]) => key.startsWith(prefix))
    ? Object.fromEntries(entries.map(([key, value]) => [key.slice(prefix.length), value]))
    : { applications: [{ name: 'orders', image: 'ghcr.io/example/orders:1.0.0', ...content }] };
}

const pages = ['README.md', ...filesIn('docs').filter((name) => name.endsWith('.md'))];
const blocks = pages.flatMap((page) =>
  blocksOf(page).flatMap((text, place): [string, Record<string, unknown>][] => {
    const settings = settingsOf(parse(text));
    return settings === undefined ? [] : [[`${page}, block ${place + 1}`, settings]];
  }),
);

const releaseBlocks = pages.flatMap((page) =>
  blocksOf(page)
    .filter((text) => /^releases:/m.test(text))
    .map((text): [string, string] => [page, text]),
);

describe('the release files of hosted clusters in the documentation', () => {
  it.each(releaseBlocks)('are valid: %s', (_page, text) => {
    expect(readReleases('hostedClusters', 'hc.yaml', () => text).problems).toEqual([]);
  });

  it('are found', () => {
    expect(releaseBlocks).toHaveLength(1);
  });
});

/** As in a variable group (docs/pipelines.md). */
const variables = {
  ...{ WI_LOCATION: 'northeurope', WI_VAULT: 'kv-of-group', WI_PUBLIC_ACCESS: 'true' },
  WI_RESOURCE_GROUP_ID: '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-of-group',
};

/** Files that whoever follows docs/hypershift.md writes. */
const rendered: Readonly<Record<string, string>> = {
  'hypershift/definitions.yaml': '',
  'hypershift/operator.yaml': read('examples/configurations/hypershift/operator.yaml'),
};

describe('the settings in the documentation', () => {
  it.each(blocks)('are valid: %s', (_block, settings) => {
    const clusters = (settings.clusters ?? []) as { name: string; mode?: string }[];
    const external = clusters.filter(({ mode }) => mode === 'external');
    const validation = validate(
      'dev',
      {
        ...{ location: 'westeurope', resourceGroup: 'rg-dev', vault: { name: 'kv-dev' } },
        ...{ clusters: [{ name: 'front' }, { name: 'back' }] },
        kubeconfigs: Object.fromEntries(external.map(({ name }) => [name, 'of the test'])),
        ...settings,
      },
      (file) => rendered[file] ?? readFile(file),
      [],
      now,
      variables,
    );

    expect(validation.ok ? [] : validation.problems.map(formatProblem)).toEqual([]);
  });

  it('are found', () => {
    expect(blocks.length).toBeGreaterThan(9);
  });
});
