import { Command, InvalidArgumentError, Option } from 'commander';
import { createAzureAccess, summarize, toReport, verifyStack } from '../verification';
import { readStackOutputs } from './stackOutputs';
import { inventoryNotes } from './verifyRemedy';
import { renderVerification } from './verifyTable';
import { VisibleError } from './visibleError';

interface VerifyFlags {
  stack: string;
  json: boolean;
  timeout: number;
}

/**
 * Role assignments "can take up to several minutes" to reach a vault and a new federated credential as long
 * to reach Entra: five minutes are waited for, in all, only where something is refused that was granted.
 * An environment where nothing has to propagate sets AKS_WI_VERIFY_TIMEOUT.
 */
const defaultTimeoutSeconds = 300;

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'check a deployed stack through the real client libraries: who can read what, and who cannot',
    )
    .requiredOption('--stack <name>', 'stack whose workloads are checked')
    .option('--json', 'print {"checks":[…],"passed":n,"failed":n}', false)
    .addOption(
      new Option('--timeout <seconds>', 'how long to wait for what Azure has not propagated yet')
        .env('AKS_WI_VERIFY_TIMEOUT')
        .default(defaultTimeoutSeconds)
        .argParser(parseSeconds),
    )
    .action(async (flags: VerifyFlags) => {
      process.exitCode = await verify(flags);
    });
}

async function verify({ stack, json, timeout }: VerifyFlags): Promise<number> {
  const outputs = await readStackOutputs(stack, { cwd: process.cwd() });
  if (outputs.workloads.length === 0) {
    throw new VisibleError(
      `Stack '${stack}' has no workloads, so there is nothing to verify.`,
      'Add an application to the configuration and run `pulumi up`.',
    );
  }
  const { workloads, unlisted } = await verifyStack({
    outputs,
    access: createAzureAccess(outputs),
    timeoutSeconds: timeout,
    onWorkload: ({ plan: { workload }, results }) => {
      const failed = results.filter(({ ok }) => !ok).length;
      if (!json && process.stderr.isTTY) {
        process.stderr.write(
          `${workload.cluster}/${workload.application}: ${failed === 0 ? 'ok' : `${failed} failed`}\n`,
        );
      }
    },
  });
  const report = toReport(workloads);
  const { passed, failed } = report;
  if (json) {
    // Beside the report, whose form does not change.
    for (const note of inventoryNotes(unlisted)) process.stderr.write(`note: ${note}\n`);
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } else {
    process.stdout.write(
      renderVerification({ stack, workloads: workloads.map(summarize), passed, failed, unlisted }),
    );
  }
  return report.failed === 0 ? 0 : 1;
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('Expected seconds, 0 or more.');
  }
  return value;
}
