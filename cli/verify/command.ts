import { Command, InvalidArgumentError, Option } from 'commander';
import { summarize } from '../../verification/report';
import { example } from '../example';
import { readStackOutputs } from '../stackOutputs';
import { defaultTimeoutSeconds, verifyDeployed } from './run';
import { renderVerification } from './table';
import { shownInLine } from '../shownOnTerminal';
import { print, printProblem } from '../print';
import { inJson } from '../json';
import { exitCodes } from '../exitCodes';

interface VerifyFlags {
  stack: string;
  json: boolean;
  timeout: number;
}

export function verifyCommand(): Command {
  return new Command('verify')
    .requiredOption('--stack <name>', 'name of the stack')
    .option('--json', 'print JSON: {"checks":[…],"passed":n,"failed":n}', false)
    .addOption(timeoutOption())
    .addHelpText('after', example('verify --stack dev'))
    .action(verify);
}

async function verify({ stack: name, json, timeout }: VerifyFlags): Promise<void> {
  const stack = { name, cwd: process.cwd() };
  const outputs = await readStackOutputs(stack);
  const { report, ...result } = await verifyDeployed(stack, outputs, {
    timeoutSeconds: timeout,
    quiet: json,
  });
  if (json) {
    // On standard error, since the report has no field for notes.
    for (const note of result.notes) printProblem(`note: ${shownInLine(note)}\n`);
    print(inJson(report));
  } else {
    const workloads = result.workloads.map(summarize);
    print(renderVerification({ ...report, ...result, stack: name, cells: outputs.cells, workloads }));
  }
  if (report.failed > 0) process.exitCode = exitCodes.verify.failed;
}

/** Option of the commands that verify. */
export function timeoutOption(): Option {
  return new Option('--timeout <seconds>', 'how long to wait for propagation in Azure')
    .env('AKS_WI_VERIFY_TIMEOUT')
    .default(defaultTimeoutSeconds)
    .argParser(parseSeconds);
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('Expected a number of seconds, 0 or more.');
  }
  return value;
}
