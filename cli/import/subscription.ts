import { capture, type Captured } from '../capture';
import { textAt, type Preview } from './preview';

/** Runs a program to its end. */
export type Run = (file: string, args: string[]) => Promise<Captured>;

/**
 * The subscription of providers that do not say theirs: from where azure-native takes it (its configuration, then
 * ARM_SUBSCRIPTION_ID, then the one that `az` has selected), before `az` as well from what the program found out in
 * the preview. Undefined if none of them tells.
 */
export async function ambientSubscription(
  { config, outputs }: Pick<Preview, 'config' | 'outputs'>,
  env: NodeJS.ProcessEnv,
  run: Run = (file, args) => capture(file, args, { cwd: process.cwd() }),
): Promise<string | undefined> {
  const key = 'azure-native:subscriptionId';
  // `pulumi preview --json` gives the values themselves, or with whether they are secret.
  const configured =
    textAt({ value: config[key] }, 'value') ?? textAt({ [key]: config[key] }, `${key}.value`);
  const said = [configured, env.ARM_SUBSCRIPTION_ID, textAt(outputs, 'subscriptionId')].find(isSaid);
  if (said !== undefined) return said;
  // One that is configured and cannot be read, as a secret, need not be the one that `az` has selected.
  if (config[key] !== undefined) return undefined;
  const { code, stdout } = await run('az', ['account', 'show', '--query', 'id', '-o', 'tsv']);
  return code === 0 && isSaid(stdout.trim()) ? stdout.trim() : undefined;
}

function isSaid(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}
