import type { Captured } from '../../../cli/capture';
import { ambientSubscription, stackCloud } from '../../../cli/azureTarget';

const stack = { name: 'prod', cwd: '/project', configFile: '/project/other.yaml' };
const config = 'pulumi config get azure-native:subscriptionId --stack prod --config-file /project/other.yaml';
const selected = 'az account show --query id -o tsv';

/** Programs that answer so; what they are asked is recorded. */
function programs(answers: Readonly<Record<string, Partial<Captured>>>) {
  const asked: string[] = [];
  const run = (file: string, args: readonly string[]) => {
    const line = [file, ...args].join(' ');
    asked.push(line);
    return Promise.resolve({ code: 0, stdout: '', stderr: '', ...answers[line] });
  };
  return { run, asked };
}

const unset = { code: 255, stderr: "error: configuration key 'azure-native:subscriptionId' not found" };

describe('the subscription that is deployed to', () => {
  it.each([
    ['the configuration', { stdout: 'configured\n' }, 'configured'],
    ['ARM_SUBSCRIPTION_ID', unset, 'of the environment'],
  ])('is that of %s', async (_where, configured, expected) => {
    const { run, asked } = programs({ [config]: configured, [selected]: { stdout: 'selected' } });

    expect(await ambientSubscription(stack, { ARM_SUBSCRIPTION_ID: 'of the environment' }, run)).toBe(
      expected,
    );
    expect(asked).toEqual([config]);
  });

  it('is else the one that az has selected', async () => {
    const { run, asked } = programs({ [config]: unset, [selected]: { stdout: 'selected\n' } });

    expect(await ambientSubscription(stack, { ARM_SUBSCRIPTION_ID: '' }, run)).toBe('selected');
    expect(asked).toEqual([config, selected]);
  });

  it('is not guessed if the configuration has one that cannot be decrypted', async () => {
    const { run, asked } = programs({
      [config]: { code: 255, stderr: 'error: could not decrypt configuration value: incorrect passphrase' },
      [selected]: { stdout: 'selected' },
    });

    await expect(ambientSubscription(stack, { ARM_SUBSCRIPTION_ID: 'other' }, run)).rejects.toThrow(
      "The secrets of stack 'prod' cannot be decrypted: could not decrypt configuration value: incorrect passphrase",
    );
    expect(asked).toEqual([config]);
  });

  it.each([
    ['there is no az', { code: 127 }],
    ['nobody is signed in', { code: 1, stderr: "Please run 'az login'" }],
    ['az prints nothing', { stdout: '\n' }],
  ])('is not known if %s', async (_what, answer) => {
    const { run } = programs({ [config]: unset, [selected]: answer });

    expect(await ambientSubscription(stack, {}, run)).toBeUndefined();
  });
});

describe('the cloud that is deployed to', () => {
  const environment =
    'pulumi config get azure-native:environment --stack prod --config-file /project/other.yaml';

  it('is that of the configuration, else that of the environment', async () => {
    const configured = programs({ [environment]: { stdout: 'china\n' } });
    const not = programs({
      [environment]: { code: 255, stderr: "error: configuration key 'azure-native:environment' not found" },
    });
    const env = { ARM_ENVIRONMENT: 'usgovernment' };

    expect((await stackCloud(stack, env, configured.run)).name).toBe('china');
    expect((await stackCloud(stack, env, not.run)).name).toBe('usgovernment');
    expect((await stackCloud(stack, {}, not.run)).name).toBe('public');
  });
});
