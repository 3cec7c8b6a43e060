// Updates of a deployed stack with real control planes: the first, the second, and a preview; and the memory of the whole local
// cloud for each cluster. Each cluster needs about 8 of the 128 inotify instances that most machines allow a user, so about 15
// clusters are the most.
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { median } from './median.mjs';
import { writeStackFile } from './stackFile.mjs';

/** Measures a stack with a number of clusters. Returns figures of each command, and megabytes by program. */
export async function measureDeployed(state, clusters, { rounds, progress }) {
  const stack = `deployed-${clusters}`;
  const file = path.join(state.folder, `Pulumi.${stack}.yaml`);
  await writeStackFile(file, clusters);
  const pulumi = async (...args) => {
    const run = await state.runMeasured(['pulumi', '--stack', stack, '--stack-file', file, ...args]);
    return { seconds: run.seconds, wallSeconds: run.wallSeconds, output: run.stdout };
  };
  const quiet = ['--non-interactive', '--suppress-outputs'];
  progress(`${clusters} real clusters: first up`);
  const first = await pulumi('up', '--yes', '--skip-preview', ...quiet);
  const second = [];
  const preview = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`${clusters} real clusters: preview and second up, round ${round} of ${rounds}`);
    preview.push(await pulumi('preview', ...quiet));
    second.push(await pulumi('up', '--yes', '--skip-preview', ...quiet));
  }
  const written = second.flatMap(({ output }) => output.match(/^ +[+~-]+ \d+ .*$/gm) ?? []);
  if (written.length > 0) throw new Error(`the second up is not unchanged: ${written.join(', ')}`);
  const secondsOf = (runs) => median(runs.map(({ seconds }) => seconds));
  return {
    clusters,
    resources: Number(/(\d+) (?:unchanged|created)/.exec(second[0].output)?.[1] ?? 0),
    firstSeconds: first.wallSeconds,
    previewSeconds: secondsOf(preview),
    secondSeconds: secondsOf(second),
    secondToPreview: secondsOf(second) / secondsOf(preview),
    megabytes: await megabytesByProgram(state.folder),
  };
}

/** Returns the proportional memory (PSS) of the running processes of a local cloud, by program. */
async function megabytesByProgram(folder) {
  const byProgram = {};
  for (const pid of (await readdir('/proc')).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )) {
    try {
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      if (
        ![command.join(' '), environment, await readlink(`/proc/${pid}/cwd`)].some((text) =>
          text.includes(folder),
        )
      )
        continue;
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
      const program = path.basename(command.find((part) => /\.(c|m)?js$/.test(part)) ?? command[0]);
      byProgram[program] = (byProgram[program] ?? 0) + Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
    } catch {
      // The process has ended.
    }
  }
  return Object.fromEntries(
    Object.entries(byProgram)
      .sort(([, one], [, other]) => other - one)
      .map(([name, value]) => [name, Math.round(value)]),
  );
}
