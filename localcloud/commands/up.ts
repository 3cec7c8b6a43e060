import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ListrTask } from 'listr2';
import pc from 'picocolors';
import type { Instance } from '../daemon/instance';
import { LOCAL_STACK } from '../daemon/instance';
import { endProcesses, processesWith } from '../daemon/processes';
import type { RunRecord } from '../daemon/runFile';
import type { ToolchainEvent } from '../toolchain';
import { lastChanges, renderChanges } from './backendState';
import { logFile, startCloud } from './cloud';
import { openInstanceToolchain, ownCommand, pulumiContext } from './context';
import { deploymentFailed, readErrors, withEventLog } from './engineErrors';
import { installPlugins } from './plugins';
import { interruption, runSteps } from './progress';
import { checkRequirements } from './requirements';
import { ENGINE_VARIABLE, streamPulumi, type PulumiContext } from './runPulumi';
import { checkCommitted, prepareStack, settleStack, stackFlags, unlockStack } from './stack';
import { VisibleError } from './visibleError';
import { exclusively } from './workLock';

interface Steps {
  run?: RunRecord;
  pulumi?: PulumiContext;
}

/** How long an engine that outlived its command may take to write down what it began. */
const engineGraceMilliseconds = 30_000;

/** From nothing to a verified environment; run again it changes nothing, or continues where it was stopped. */
export async function up(instance: Instance): Promise<void> {
  checkRequirements();
  checkCommitted(instance);
  const start = performance.now();
  await exclusively(instance, 'up', async () => {
    const context = await prepare(instance);
    await deploy(context);
    const code = await verify(context);
    const seconds = Math.round((performance.now() - start) / 1000);
    if (code !== 0) {
      throw verificationFailed(seconds);
    }
    process.stdout.write(nextSteps(context.instance, seconds));
  });
}

async function prepare(instance: Instance): Promise<PulumiContext> {
  const listeners = new Set<(event: ToolchainEvent) => void>();
  const toolchain = openInstanceToolchain(instance, (event) => listeners.forEach((listen) => listen(event)));
  const stopped = interruption();
  const context: Steps = {};
  try {
    // What is needed last is built while what is needed first runs. An error comes up again, with its
    // remedy, where the tool is asked for.
    toolchain.buildAll().catch(() => undefined);
    const steps: ListrTask<Steps>[] = [
      {
        title: 'Toolchain: engine',
        task: async (_context, task) => {
          const listen = describe((text) => (task.output = text));
          listeners.add(listen);
          try {
            await toolchain.require('pulumi');
            await toolchain.require('pulumi-language-nodejs');
          } finally {
            listeners.delete(listen);
          }
        },
      },
      {
        title: 'Local cloud',
        task: async (steps, task) => {
          await endProcesses(processesWith(ENGINE_VARIABLE, instance.folder), engineGraceMilliseconds);
          const run = await startCloud(instance);
          steps.run = run;
          task.title = `Local cloud ${run.started ? 'started' : 'already running'} (process ${run.pid}, port ${run.azurePort})`;
        },
      },
      {
        title: 'Toolchain: what the charts are installed with',
        task: async (steps, task) => {
          const listen = describe((text) => (task.output = text));
          listeners.add(listen);
          try {
            await toolchain.charts(instance.chartsDir);
            if (steps.run !== undefined) steps.pulumi = await pulumiContext(instance, steps.run, toolchain);
          } finally {
            listeners.delete(listen);
          }
        },
      },
      {
        title: `Stack ${LOCAL_STACK}`,
        task: async ({ pulumi }) => {
          installPlugins(instance);
          if (pulumi === undefined) return;
          await unlockStack(pulumi);
          await prepareStack(pulumi);
        },
      },
    ];
    await Promise.race([runSteps(steps, context), stopped.promise]);
  } finally {
    stopped.dispose();
  }
  if (context.pulumi === undefined) throw new Error('the engine was not prepared');
  return context.pulumi;
}

/** One line when a tool changes its phase; nothing for those that were built before. */
function describe(write: (text: string) => void): (event: ToolchainEvent) => void {
  const phases = new Map<string, string>();
  return ({ tool, phase, detail }) => {
    const before = phases.get(tool);
    phases.set(tool, phase);
    if (before === phase || (before === undefined && phase === 'ready')) return;
    write(`${tool}: ${phase}${detail === undefined ? '' : ` ${detail}`}`);
  };
}

async function deploy(context: PulumiContext): Promise<void> {
  const { instance } = context;
  await settleStack(context);
  const events = path.join(instance.logsDir, 'up-events.jsonl');
  // Its owner's only: the engine itself would make it readable for all.
  writeFileSync(events, '', { mode: 0o600 });
  const code = await streamPulumi(withEventLog(context), [
    'up',
    '--suppress-outputs',
    '--yes',
    '--skip-preview',
    // Line by line also on a terminal: the redrawn display reads Ctrl-C as a key, which a process without
    // the terminal's input never gets.
    '--non-interactive',
    '--color',
    process.stdout.isTTY && pc.isColorSupported ? 'always' : 'never',
    '--event-log',
    events,
    ...stackFlags(instance),
  ]);
  const errors = readErrors(events);
  rmSync(events, { force: true });
  if (code !== 0) throw deploymentFailed(errors, logFile(instance));
  const changes = lastChanges(instance);
  if (changes !== undefined) process.stdout.write(`Stack ${LOCAL_STACK}: ${renderChanges(changes)}\n\n`);
}

/**
 * `up` itself compares with what it did, not with what is there, so running it again restores nothing. Exported
 * for tests.
 */
export function verificationFailed(seconds: number): VisibleError {
  return new VisibleError(
    `The environment is up, but its verification failed (${seconds} s).`,
    [
      'Details above. `npx aks-wi pulumi up --refresh` (or `npx aks-wi pulumi refresh`, then `make up`) reads what really exists and restores it;',
      'a role assigned outside Pulumi that gives too much has to be removed by hand.',
      `Then again: \`npx aks-wi verify --stack ${LOCAL_STACK}\`.`,
    ].join(' '),
  );
}

/** Runs the product's own command, as a user would. */
async function verify({ instance, env }: PulumiContext): Promise<number> {
  const stopped = interruption();
  const child = spawn(process.execPath, ownCommand(instance, 'verify', '--stack', LOCAL_STACK), {
    cwd: instance.projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    const ended = new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
    return await Promise.race([ended, stopped.promise]);
  } finally {
    stopped.dispose();
    child.kill('SIGTERM');
  }
}

function nextSteps(instance: Instance, seconds: number): string {
  const cluster = 'CLUSTER';
  return [
    '',
    `${pc.green('Done')} in ${seconds} s. What to try next:`,
    '  npx aks-wi cloud status                     the clusters and where the local cloud listens',
    `  export KUBECONFIG=$(npx aks-wi cloud kubeconfig ${cluster})   then: kubectl get pods -A`,
    '  eval "$(npx aks-wi cloud env)"              point any Azure client at it',
    '  npx aks-wi pulumi stack output workloads    what was deployed',
    `  edit Pulumi.${LOCAL_STACK}.yaml, then make up          e.g. take a secret from an application`,
    `  make down                                   stops it; the state stays in ${path.relative(instance.projectRoot, instance.stateRoot) || '.'}`,
    '',
  ].join('\n');
}
