#!/usr/bin/env node
// Starts the project's command. It rebuilds outdated bundles and combines the commands of the product and of the local
// cloud. Only this file combines them: the product's sources do not import localcloud/.
import './nodeVersion.mjs';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setColors } from './colors.mjs';

const installation = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** A checkout is its own project, and bundles its sources. The package has the bundles. */
const isCheckout = existsSync(path.join(installation, 'build.mjs'));
if (isCheckout) {
  const { ensureBuilt } = await import('../build.mjs');
  await ensureBuilt().catch((error) => {
    // esbuild has already printed the errors with their files.
    process.stderr.write(
      `error: the sources cannot be bundled: ${error.errors === undefined ? error.message : 'see above'}\n  → Correct them, and run the command again.\n`,
    );
    process.exit(1);
  });
}
const projectRoot = isCheckout ? installation : projectFrom(process.cwd());
setColors(process.env);
const require = createRequire(import.meta.url);
const localCloud = () =>
  import(isCheckout ? '../dist/localcloud-commands.mjs' : '@aks-workload-identity/localcloud/commands');
/** Loads the product on first use. */
const product = () => import('../dist/cli.mjs');

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', () => process.exit());

const args = process.argv.slice(2);
const options = {
  projectRoot,
  confirmed: async (...asked) => (await product()).confirmed(...asked),
  product: await import('../dist/local-product.mjs'),
};

/** The nearest folder with a Pulumi.yaml, as for Pulumi; without one, the folder itself. */
function projectFrom(folder) {
  for (let above = folder; ; above = path.dirname(above)) {
    if (existsSync(path.join(above, 'Pulumi.yaml'))) return above;
    if (above === path.dirname(above)) return folder;
  }
}

async function wholeProgram(local) {
  // The completion of a shell names the options of all commands.
  const loadAll = args[0] === 'completion';
  const program = await (await product()).createProgram(args, loadAll);
  await local.addLocalCloudCommands(
    program.version(require('../package.json').version),
    options,
    loadAll ? undefined : args,
  );
  return program;
}

async function run() {
  const local = await localCloud();
  const code = await local.runInLocalEnvironment(args, options);
  const own = await local.localCloudProgram(args, options);
  if (code !== undefined) process.exitCode = code;
  else if (own !== undefined) await own.parseAsync(args, { from: 'user' });
  else await (await product()).runProgram(await wholeProgram(local), args);
}

await run().catch(async (error) => {
  const print = (text) => process.stderr.write(text);
  const report = await product().then(
    ({ reportError }) => reportError,
    () => undefined,
  );
  if (report === undefined)
    print(`error: ${error.message}\n  → Bundle the command again with \`node build.mjs\`.\n`);
  process.exitCode = report === undefined ? 1 : report(error, print);
});
// An interrupted command may still be running in this process. A pipe takes 64 KiB at once; on exit, the rest is lost.
for (const stream of [process.stdout, process.stderr])
  await new Promise((resolve) => stream.write('', resolve));
process.exit();
