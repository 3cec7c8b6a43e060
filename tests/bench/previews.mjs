// Previews of stacks with more and more clusters: the program, with and without the policy pack, and two flat programs of the
// same custom resources, one after the other in each round, so that a slower minute of the machine slows all of them.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFlatProject } from './flat/project.mjs';
import { median } from './median.mjs';
import { writeStackFile } from './stackFile.mjs';

/** A process of the preview by parts of its command line. */
const kinds = {
  program: '/cmd/run/index.js',
  // The second is that of a pack that is not bundled.
  'policy pack': ['policy-pack.cjs', '/run-policy-pack/'],
  'azure-native plugin': 'pulumi-resource-azure-native.cjs',
  'kubernetes plugins': 'pulumi-resource-kubernetes.cjs',
  'language host': 'pulumi-language-nodejs.cjs',
  engine: '/pulumi ',
};

/**
 * Measures previews with the given numbers of clusters, with nothing deployed. Returns a row of medians for each number.
 *
 * @param progress is called with each step
 */
export async function measurePreviews(state, clusterCounts, { rounds, progress }) {
  const rows = [];
  for (const clusters of clusterCounts) rows.push(await measureOne(state, clusters, { rounds, progress }));
  return rows;
}

async function measureOne(state, clusters, { rounds, progress }) {
  const stack = `clusters-${clusters}`;
  const file = path.join(state.folder, `Pulumi.${stack}.yaml`);
  const folders = {
    flat: path.join(state.folder, `flat-${clusters}`),
    relieved: path.join(state.folder, `relieved-${clusters}`),
  };
  const pulumi = (...args) => state.runMeasured(['pulumi', '--stack', stack, '--stack-file', file, ...args]);
  const preview = ['preview', '--non-interactive'];

  progress(`${clusters} clusters: custom resources for the flat program`);
  await writeStackFile(file, clusters);
  const { stdout } = await pulumi(...preview, '--json', '--policy-pack=');
  const registered = JSON.parse(stdout);
  let custom = 0;
  for (const [name, folder] of Object.entries(folders)) {
    custom = await writeFlatProject(folder, registered, { relieved: name === 'relieved' });
    await pulumi(`--cwd=${folder}`, 'stack', 'init', stack);
  }

  const variants = {
    program: [...preview, '--policy-pack='],
    policies: preview,
    emptyPack: [...preview, `--policy-pack=${await writeEmptyPack(state.folder)}`],
    ...Object.fromEntries(
      Object.entries(folders).map(([name, folder]) => [
        name,
        [
          `--cwd=${folder}`,
          ...preview,
          '--policy-pack=',
          '--config-file',
          path.join(folder, `Pulumi.${stack}.yaml`),
        ],
      ]),
    ),
  };
  const runs = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, args] of Object.entries(variants)) {
      progress(`${clusters} clusters: ${name}, round ${round} of ${rounds}`);
      const run = await pulumi(...args);
      runs[name].push({ ...figures(run), resources: createdIn(run.stdout) });
    }
  }
  const medians = Object.fromEntries(Object.entries(runs).map(([name, of]) => [name, medianOf(of)]));
  // The stack itself is one more.
  for (const name of Object.keys(folders)) {
    if (medians[name].resources !== custom + 1)
      throw new Error(`${name} registers ${medians[name].resources} resources, not ${custom + 1}`);
  }
  return { clusters, customResources: custom, ...medians, ...ratios(medians) };
}

/** Writes a policy pack without policies, which shows what the engine and the SDK need for a pack of any kind. */
async function writeEmptyPack(folder) {
  const pack = path.join(folder, 'empty-pack');
  await mkdir(pack, { recursive: true });
  await writeFile(path.join(pack, 'PulumiPolicy.yaml'), 'runtime: nodejs\nversion: 0.0.1\n');
  await writeFile(
    path.join(pack, 'package.json'),
    '{ "name": "empty-pack", "version": "0.0.1", "main": "index.js" }\n',
  );
  const source = "new (require('@pulumi/policy').PolicyPack)('empty', { policies: [] });\n";
  await writeFile(path.join(pack, 'index.js'), source);
  return pack;
}

const createdIn = (output) => Number(/\+ (\d+) to create/.exec(output)?.[1] ?? 0);

function figures({ seconds, wallSeconds, processes }) {
  const of = (parts) =>
    processes.filter(({ command }) => [parts].flat().some((part) => command.includes(part)));
  return {
    seconds,
    wallSeconds,
    programSeconds: sum(of(kinds.program)),
    programMegabytes: largest(of(kinds.program)),
    largestMegabytes: largest(processes),
    secondsOf: Object.fromEntries(Object.entries(kinds).map(([kind, part]) => [kind, sum(of(part))])),
  };
}

const sum = (processes) => processes.reduce((all, { seconds }) => all + seconds, 0);
const largest = (processes) => Math.max(0, ...processes.map(({ megabytes }) => megabytes));

/** Takes the median of each figure on its own. */
function medianOf(runs) {
  const [first] = runs;
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => {
      const values = runs.map((run) => run[name]);
      return [name, typeof value === 'object' ? medianOf(values) : median(values)];
    }),
  );
}

const ratio = (one, other) => ({
  seconds: one.seconds / other.seconds,
  programSeconds: one.programSeconds / other.programSeconds,
  programMegabytes: one.programMegabytes / other.programMegabytes,
});

function ratios({ program, flat, relieved, policies, emptyPack }) {
  const perResource = (preview) => ((preview.seconds - program.seconds) * 1000) / program.resources;
  return {
    toFlat: ratio(program, flat),
    toRelieved: ratio(program, relieved),
    policyMillisecondsPerResource: perResource(policies),
    emptyPackMillisecondsPerResource: perResource(emptyPack),
  };
}
