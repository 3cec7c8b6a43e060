import { randomBytes } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { accessWithin } from '../../components/azure/accessDelay';
import { currentCloud } from '../../components/azure/clouds';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { readService } from '../azureReader';
import { capture, notFound } from '../capture';
import { ownCommand } from '../ownCommand';
import { runPulumi } from '../pulumi';
import type { Processes } from './processes';
import { startRecorder } from './recorder';
import { removeFromAzure } from './removal';
import { folderOf, type KeptRun } from './runs';
import { runSteps, type Side } from './side';
import { secretNames, stackFile, stackOf } from './stackFile';
import { recordedVariables, writeTrusted } from './trust';

/** Folder of the project, and folder of the runs. */
export interface Places {
  readonly project: string;
  readonly folder: string;
}

/**
 * Returns the file and the environment of the run's stack, whose state is in the run's folder, and the flags of its updates.
 */
function stackIn({ folder }: Places, run: KeptRun) {
  const own = folderOf(folder, run);
  const stack = stackOf(run);
  const file = path.join(own, `Pulumi.${stack}.yaml`);
  const env = {
    ...process.env,
    // Without the option, an engine that is killed can leave a state that cannot be read (gocloud.dev blob/fileblob, setAttrs).
    PULUMI_BACKEND_URL: `file://${path.join(own, 'backend')}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE: run.passphrase,
    PULUMI_STACK: stack,
    ARM_SUBSCRIPTION_ID: run.subscription,
    [ownVariables.configFile]: file,
    [ownVariables.stackFile]: file,
  };
  const ofStack = ['--stack', stack, '--config-file', file];
  const flags = ['--yes', '--skip-preview', '--non-interactive', '--suppress-outputs', ...ofStack];
  return { own, stack, file, env, flags };
}

/** Returns the ids and the secret of the account that deploys, as far as the environment has them. */
function ownAccount(): string[] {
  const { ARM_TENANT_ID, ARM_CLIENT_ID, ARM_CLIENT_SECRET } = process.env;
  return [ARM_TENANT_ID, ARM_CLIENT_ID, ARM_CLIENT_SECRET].filter((value) => value !== undefined);
}

/** Deploys the stack, verifies it, and destroys it, with all requests to Azure recorded. */
export async function runOnAzure(places: Places, run: KeptRun, processes: Processes): Promise<Side> {
  const { own, stack, file, env, flags } = stackIn(places, run);
  const { project: cwd } = places;
  const { NODE_EXTRA_CA_CERTS: further, https_proxy, HTTPS_PROXY } = process.env;
  const recorder = await startRecorder({ proxy: HTTPS_PROXY || https_proxy || undefined });
  try {
    const trusted = path.join(own, 'trusted.pem');
    writeTrusted(trusted, recorder.certificate, further);
    copyFileSync(path.join(cwd, 'Pulumi.yaml'), path.join(own, 'Pulumi.yaml'));
    writeFileSync(file, stackFile(run), { mode: 0o600 });
    const values = secretNames.map(() => randomBytes(24).toString('base64url'));
    await runPulumi({ name: stack, cwd: own }, ['stack', 'init'], { env });
    for (const [index, name] of secretNames.entries()) {
      const args = ['config', 'set', '--secret', '--path', `secretValues.${name}`, '--config-file', file];
      await runPulumi({ name: stack, cwd }, args, { env, input: values[index] });
    }
    const recorded = { cwd, env: { ...env, ...recordedVariables(recorder.url, trusted) } };
    // Nobody can verify later: the stack is destroyed next.
    const patience = ['--timeout', String(accessWithin)];
    const verify = [process.execPath, ...ownCommand('verify', '--no-local', '--stack', stack, ...patience)];
    const steps = await runSteps({
      deploy: () => processes.run(['pulumi', 'up', ...flags], recorded),
      verify: () => processes.run(verify, recorded),
      destroy: () => processes.run(['pulumi', 'destroy', ...flags], { ...recorded, removes: true }),
    });
    return {
      records: recorder.records(),
      secrets: [...values, run.passphrase, run.subscription, run.id, ...ownAccount()],
      steps,
    };
  } finally {
    await recorder.close();
  }
}

/** Removes everything of a run from Azure, whatever happened before. `left`: the run was killed, and its stack may still exist. */
export async function remove(
  places: Places,
  run: KeptRun,
  processes: Processes,
  { left = false } = {},
): Promise<void> {
  const { stack, env, flags } = stackIn(places, run);
  if (left) {
    const { project: cwd } = places;
    // Without Pulumi, or if the run created no stack, these fail; the group and the vault are removed in any case.
    const { code } = await capture('pulumi', ['cancel', stack, '--yes'], { cwd, env });
    if (code !== notFound) await processes.run(['pulumi', 'destroy', ...flags], { cwd, env, removes: true });
  }
  await removeFromAzure(
    run,
    readService(currentCloud(undefined, process.env), process.env, 'resourceManager'),
  );
}
