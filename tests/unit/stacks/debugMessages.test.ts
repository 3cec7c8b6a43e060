import * as pulumi from '@pulumi/pulumi';
import { sendDebugMessagesTogether } from '../../../stacks/debugMessages';

/** A log that records what is sent. */
function recordingLog() {
  const sent: string[] = [];
  const at = (severity: string) => (message: string) => {
    sent.push(`${severity}: ${message}`);
    return Promise.resolve();
  };
  const log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    hasErrors: () => false,
  };
  return { sent, log };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('sends debug messages of one turn together, in their order', async () => {
  const { sent, log } = recordingLog();
  sendDebugMessagesTogether(log);
  await log.debug('one');
  await log.debug('two');
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual(['debug: one\ntwo']);

  await log.debug('three');
  await nextTurn();
  expect(sent).toEqual(['debug: one\ntwo', 'debug: three']);
});

it.each(['info', 'warn', 'error'] as const)('keeps the order of debug messages and %s', async (severity) => {
  const { sent, log } = recordingLog();
  sendDebugMessagesTogether(log);
  await log.debug('before');
  await log[severity]('now');
  await log.debug('after');
  await nextTurn();
  expect(sent).toEqual(['debug: before', `${severity}: now`, 'debug: after']);
});

it('sends long messages at once', async () => {
  const { sent, log } = recordingLog();
  sendDebugMessagesTogether(log);
  await log.debug('x'.repeat(64 * 1024));
  expect(sent).toHaveLength(1);
});

it('changes the functions that the SDK calls', () => {
  const before = pulumi.log.debug;
  sendDebugMessagesTogether();
  expect(pulumi.log.debug).not.toBe(before);
});
