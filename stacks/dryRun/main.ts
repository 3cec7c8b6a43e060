// Answers requests in JSON from standard input, one after the other: a process of its own, since the SDK's mocks are global.
import { text } from 'node:stream/consumers';
import { answer } from './answer';
import type { DryRunAnswer, DryRunRequest } from './request';

// The SDK takes a stack trace of each promise and resource, for reports that only an engine shows: half of what a run costs.
Error.stackTraceLimit = 0;

async function main(): Promise<void> {
  const answers: DryRunAnswer[] = [];
  for (const one of JSON.parse(await text(process.stdin)) as DryRunRequest[]) {
    process.chdir(one.project);
    answers.push(await answer(one));
  }
  process.stdout.write(JSON.stringify(answers));
}

void main();
