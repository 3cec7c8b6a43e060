import { refusal } from '../../../cli/pipeline/cell';
import { streamed, wasStopped } from '../../../cli/pipeline/run';
import { InvalidConfigurationError } from '../../../stacks/invalidConfiguration';

// What these do not prove: that the engine prints these texts, which the end-to-end test of fleets and the engine's tests prove.

describe('an update that was refused', () => {
  it.each([
    [
      'by its settings',
      new InvalidConfigurationError('dev', [{ path: ['location'], what: 'is missing' }]).message,
    ],
    ['by what exists', '/subscriptions/1/x exists in Azure, and the stack would create it.'],
    ['by its environment', 'The stack prod, the environment of this cell, is not deployed.'],
    ['by a policy', '    - [mandatory]  no-public-vault  (azure-native:keyvault:Vault: kv)'],
  ])('is recognised when it is refused %s', (_, output) => {
    expect(output).toMatch(refusal);
  });

  it.each([
    ['a failure in Azure', 'error: autorest/azure: Service returned an error. Status=409 Code="Conflict"'],
    ['an advisory policy', '    - [advisory]  tags  (azure-native:keyvault:Vault: kv)'],
  ])('is not %s', (_, output) => {
    expect(output).not.toMatch(refusal);
  });
});

describe('a program that runs', () => {
  it('gets the signal to end, and is waited for', async () => {
    const script =
      "process.on('SIGTERM', () => setTimeout(() => process.exit(7), 50)); setInterval(() => {}, 1000); console.log('up')";
    const listeners = process.listenerCount('SIGTERM');

    const code = await streamed(process.execPath, ['-e', script], '.', {
      onOutput: () => process.emit('SIGTERM', 'SIGTERM'),
    });

    expect(code).toBe(7);
    expect(wasStopped()).toBe(true);
    expect(process.listenerCount('SIGTERM')).toBe(listeners);
  });
});
