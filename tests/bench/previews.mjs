// Previews of stacks with more and more clusters: the program, a flat program of the same custom resources, and the program
// with the policy pack, one after the other in each round, so that a slower minute of the machine slows all of them.
import path from 'node:path';
import { writeFlatProject } from './flat/project.mjs';
import { median } from './median.mjs';
import { writeStackFile } from './stackFile.mjs';

/** A process of the preview by a part of its command line. */
const kinds = {
  program: '/cmd/run/index.js',
  'policy pack': 'policy-pack.cjs',
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
  const folder = path.join(state.folder, `flat-${clusters}`);
  const pulumi = (...args) => state.runMeasured(['pulumi', '--stack', stack, '--stack-file', file, ...args]);
  const preview = ['preview', '--non-interactive'];
  const flat = [`--cwd=${folder}`];

  progress(`${clusters} clusters: custom resources for the flat program`);
  await writeStackFile(file, clusters);
  const { stdout } = await pulumi(...preview, '--json', '--policy-pack=');
  const registered = JSON.parse(stdout);
  const custom = await writeFlatProject(folder, registered);
  await pulumi(...flat, 'stack', 'init', stack);

  const variants = {
    program: [...preview, '--policy-pack='],
    flat: [...flat, ...preview, '--policy-pack=', '--config-file', path.join(folder, `Pulumi.${stack}.yaml`)],
    policies: preview,
  };
  const runs = { program: [], flat: [], policies: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, args] of Object.entries(variants)) {
      progress(`${clusters} clusters: ${name}, round ${round} of ${rounds}`);
      const run = await pulumi(...args);
      runs[name].push({ ...figures(run), resources: createdIn(run.stdout) });
    }
  }
  const medians = Object.fromEntries(Object.entries(runs).map(([name, of]) => [name, medianOf(of)]));
  // The stack itself is one more.
  if (medians.flat.resources !== custom + 1)
    throw new Error(`the flat program registers ${medians.flat.resources} resources, not ${custom + 1}`);
  return { clusters, customResources: custom, ...medians, ...ratios(medians) };
}

const createdIn = (output) => Number(/\+ (\d+) to create/.exec(output)?.[1] ?? 0);

function figures({ seconds, wallSeconds, processes }) {
  const of = (part) => processes.filter(({ command }) => command.includes(part));
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

function ratios({ program, flat, policies }) {
  return {
    ratio: {
      seconds: program.seconds / flat.seconds,
      programSeconds: program.programSeconds / flat.programSeconds,
      programMegabytes: program.programMegabytes / flat.programMegabytes,
    },
    policyMillisecondsPerResource: ((policies.seconds - program.seconds) * 1000) / program.resources,
  };
}
