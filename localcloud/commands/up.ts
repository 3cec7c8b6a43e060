import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ListrTask } from 'listr2';
import pc from 'picocolors';
import type { Instance } from '../daemon/instance';
import { endProcesses, processesWith } from '../daemon/processes';
import type { RunRecord } from '../daemon/runFile';
import type { Toolchain } from '../toolchain';
import { COMMAND, commandLine, policyPack, variable } from '../project';
import { lastRun, renderChanges } from './backendState';
import { logFile, startCloud } from './cloud';
import { pulumiContext } from './context';
import { deploymentFailed, readErrors, withEventLog } from './engineErrors';
import { locateStack, pulumiCommand, upCommand, type LocalStack, type StackChoice } from './localStack';
import type { Product } from './product';
import { ownCommand } from './ownCommand';
import { isRecorded, unchanged } from './noChanges';
import { installPlugins } from './plugins';
import { interruption, runSteps } from './progress';
import { checkRequirements, checkSpace } from './requirements';
import { ENGINE_VARIABLE, streamPulumi, type PulumiContext } from './runPulumi';
import { checkCommitted, prepareStack, settleStack, stackFlags, unlockStack } from './stack';
import { configOf } from './stackDocument';
import { provideToolchain } from './toolchainBuild';
import { UserError } from '../userError';
import { exclusively } from './workLock';

interface Steps {
  run?: RunRecord;
  pulumi?: PulumiContext;
}

/** Time for an engine that outlived its command to record its operations. */
const engineGraceMilliseconds = 30_000;

/**
 * Seconds that the verification waits for pods to become ready. A pod that lacked access before the update retries
 * only after a pause.
 */
const podsTimeoutSeconds = 60;

export interface UpRequest extends StackChoice {
  /** File for the engine's events, one JSON document per line. */
  eventLog?: string | undefined;
  /** True to update without a preview. A policy violation stops a preview before any change, but an update half-way. */
  skipPreview?: boolean | undefined;
  /** True to verify the stack once it is deployed. */
  verify: boolean;
}

/**
 * Deploys and verifies a stack from nothing. Running it again changes nothing, or continues after an
 * interruption.
 */
export async function up(instance: Instance, request: UpRequest, product: Product): Promise<void> {
  checkRequirements();
  checkSpace(instance);
  const stack = locateStack(instance, request);
  const committed = checkCommitted(instance, stack);
  const config = configOf(committed);
  const tests = product.usesRareTools(config);
  const start = performance.now();
  await exclusively(instance, 'up', async () => {
    // Everything is built before anything runs, so that no Helm release times out while its program is compiled.
    const toolchain = await provideToolchain(instance, { tests });
    const context = await prepare(instance, stack, toolchain, product);
    const skipsPreview = request.skipPreview === true || product.onlyAdvises(config);
    await deploy(context, request.eventLog, skipsPreview, product);
    const verifies = request.verify && Object.hasOwn(product.commands, 'verify');
    const code = verifies ? await verify(context) : 0;
    const seconds = Math.round((performance.now() - start) / 1000);
    if (code !== 0) {
      throw verificationFailed(seconds, stack);
    }
    process.stdout.write(nextSteps(context, seconds, product));
  });
}

async function prepare(
  instance: Instance,
  stack: LocalStack,
  toolchain: Toolchain,
  product: Product,
): Promise<PulumiContext> {
  const stopped = interruption();
  const context: Steps = {};
  try {
    const steps: ListrTask<Steps>[] = [
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
        title: `Stack ${stack.name} of ${stack.source}`,
        task: async (steps) => {
          if (steps.run === undefined) throw new Error('the local cloud was not started');
          const pulumi = await pulumiContext(instance, steps.run, toolchain, stack);
          installPlugins(instance);
          await unlockStack(pulumi);
          await prepareStack(pulumi, product);
          steps.pulumi = pulumi;
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

async function deploy(
  context: PulumiContext,
  eventLog: string | undefined,
  skipsPreview: boolean,
  product: Product,
): Promise<void> {
  const { instance, stack } = context;
  await settleStack(context);
  const events =
    eventLog === undefined ? path.join(instance.logsDir, 'up-events.jsonl') : path.resolve(eventLog);
  const run = (command: 'preview' | 'up'): Promise<void> => runEngine(context, command, events, product);
  try {
    if (!skipsPreview) {
      await run('preview');
      const same = unchanged(readFileSync(events, 'utf8'));
      if (same !== undefined && isRecorded(context)) {
        process.stdout.write(
          `No changes, so nothing is updated. Stack ${stack.name}: ${renderChanges(same)}\n\n`,
        );
        return;
      }
    }
    await run('up');
  } finally {
    if (eventLog === undefined) rmSync(events, { force: true });
  }
  const changes = lastRun(instance, stack.name)?.resourceChanges;
  if (changes) process.stdout.write(`Stack ${stack.name}: ${renderChanges(changes)}\n\n`);
}

/** Previews or updates the stack, and writes the engine's events to a file. */
async function runEngine(
  context: PulumiContext,
  command: 'preview' | 'up',
  events: string,
  product: Product,
): Promise<void> {
  const { instance, stack } = context;
  // Only the owner may read the file; the engine would create it readable by everyone.
  writeFileSync(events, '', { mode: 0o600 });
  const code = await streamPulumi(withEventLog(context), [
    command,
    ...(command === 'up' ? ['--yes', '--skip-preview'] : []),
    '--suppress-outputs',
    // The redrawn display would read Ctrl-C as a key press, which a process without terminal input never gets.
    '--non-interactive',
    // No progress dots: resources report what they wait for.
    '--suppress-progress',
    '--color',
    process.stdout.isTTY && pc.isColorSupported ? 'always' : 'never',
    '--event-log',
    events,
    ...policyPack,
    ...stackFlags(stack),
  ]);
  if (code === 0) return;
  checkSpace(instance);
  throw deploymentFailed(readErrors(events), logFile(instance), stack, product, command === 'preview');
}

/**
 * Returns the error for a failed verification. Its hint is a refresh, because `up` compares with the state and not with
 * Azure: running it again would restore nothing. Exported for tests.
 */
export function verificationFailed(seconds: number, stack: Pick<LocalStack, 'name'>): UserError {
  const pulumi = pulumiCommand(stack);
  return new UserError(
    `The environment is up, but its verification failed (${seconds} s).`,
    [
      `See the details above. To restore changed or missing resources, run \`${pulumi} up --refresh\` (or \`${pulumi} refresh\`, then \`${upCommand(stack)}\`).`,
      'Excessive role assignments from outside Pulumi have to be removed by hand.',
      `Then verify again: ${commandLine(`verify --stack ${stack.name}`)}.`,
    ].join(' '),
  );
}

/** Runs the product's own `verify`; resolves with its exit code. */
async function verify({ instance, stack, env }: PulumiContext): Promise<number> {
  const stopped = interruption();
  const child = spawn(process.execPath, ownCommand('verify', '--stack', stack.name), {
    cwd: instance.projectRoot,
    env: {
      ...process.env,
      ...env,
      [variable('VERIFY_TIMEOUT')]: process.env[variable('VERIFY_TIMEOUT')] ?? String(podsTimeoutSeconds),
    },
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

function nextSteps(
  { instance, stack }: PulumiContext,
  seconds: number,
  { nextCommands, exampleChange }: Product,
): string {
  const cluster = 'CLUSTER';
  const state = path.relative(instance.projectRoot, instance.stateRoot) || '.';
  const steps: [command: string, what: string][] = [
    [`${COMMAND} cloud status`, 'the clusters and where the local cloud listens'],
    [`export KUBECONFIG=$(${COMMAND} cloud kubeconfig ${cluster})`, 'then: kubectl get pods -A'],
    [`eval "$(${COMMAND} cloud env)"`, 'point any Azure client at it'],
    ...nextCommands.map(([command, shows]): [string, string] => [
      `${pulumiCommand(stack)} ${command}`,
      shows,
    ]),
    [`edit ${stack.source}, then ${upCommand(stack)}`, `e.g. ${exampleChange}`],
    [`${COMMAND} down`, `stop it; the state stays in ${state}`],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    '',
    `${pc.green('Done')} in ${seconds} s. What to try next:`,
    ...steps.map(([command, description]) => `  ${command.padEnd(width)}   ${description}`),
    '',
  ].join('\n');
}
