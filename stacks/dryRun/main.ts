// Answers JSON requests from standard input one by one, in a separate process, since the SDK's mocks are global.
import { text } from 'node:stream/consumers';
import { answer } from './answer';
import type { DryRunAnswer, DryRunRequest } from './request';

// The SDK records a stack trace for each promise and resource, which only an engine shows. It takes half of the run time.
Error.stackTraceLimit = 0;

async function main(): Promise<void> {
  const answers: DryRunAnswer[] = [];
  for (const request of JSON.parse(await text(process.stdin)) as DryRunRequest[]) {
    process.chdir(request.project);
    answers.push(await answer(request));
  }
  process.stdout.write(JSON.stringify(answers));
}

void main();
