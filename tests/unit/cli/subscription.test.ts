import { parsePreview, secretValue } from '../../../cli/import/preview';
import { ambientSubscription } from '../../../cli/import/subscription';
import type { Captured } from '../../../cli/capture';

const key = 'azure-native:subscriptionId';

/** An `az` that answers so; what it is asked is recorded. */
function az(answer: Partial<Captured>) {
  const asked: string[][] = [];
  const run = (file: string, args: string[]) => {
    asked.push([file, ...args]);
    return Promise.resolve({ code: 0, stdout: '', stderr: '', notFound: false, ...answer });
  };
  return { run, asked };
}

const planned = (config: Record<string, unknown> = {}, outputs: Record<string, unknown> = {}) =>
  parsePreview(
    JSON.stringify({
      config,
      steps: [{ op: 'same', urn: 'urn:pulumi:test::p::pulumi:pulumi:Stack::p-test', newState: { outputs } }],
    }),
  );

describe('the subscription that is deployed to', () => {
  it.each([
    ['the configuration', planned({ [key]: 'configured' }, { subscriptionId: 'found' }), 'configured'],
    ['the configuration, with its attributes', planned({ [key]: { value: 'configured' } }), 'configured'],
    ['ARM_SUBSCRIPTION_ID', planned({}, { subscriptionId: 'found' }), 'of the environment'],
    [
      'ARM_SUBSCRIPTION_ID, if the configuration is secret',
      planned({ [key]: secretValue }),
      'of the environment',
    ],
  ])('is that of %s', async (_where, preview, expected) => {
    const { run, asked } = az({ stdout: 'selected' });

    expect(await ambientSubscription(preview, { ARM_SUBSCRIPTION_ID: 'of the environment' }, run)).toBe(
      expected,
    );
    expect(asked).toEqual([]);
  });

  it('is else what the program found out', async () => {
    const { run, asked } = az({ stdout: 'selected' });

    expect(await ambientSubscription(planned({}, { subscriptionId: 'found' }), {}, run)).toBe('found');
    expect(asked).toEqual([]);
  });

  it('is else the one that az has selected', async () => {
    const { run, asked } = az({ stdout: 'selected\n' });

    expect(await ambientSubscription(planned(), { ARM_SUBSCRIPTION_ID: '' }, run)).toBe('selected');
    expect(asked).toEqual([['az', 'account', 'show', '--query', 'id', '-o', 'tsv']]);
  });

  it.each([
    ['there is no az', { code: 1, notFound: true }],
    ['nobody is signed in', { code: 1, stderr: "Please run 'az login'" }],
    ['az tells nothing', { stdout: '\n' }],
  ])('is not known if %s', async (_what, answer) => {
    expect(await ambientSubscription(planned(), {}, az(answer).run)).toBeUndefined();
  });

  it('is not that of az if another is configured as a secret', async () => {
    const { run, asked } = az({ stdout: 'selected' });

    expect(
      await ambientSubscription(planned({ [key]: { value: secretValue, secret: true } }), {}, run),
    ).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
