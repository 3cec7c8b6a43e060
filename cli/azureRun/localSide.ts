import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { capture } from '../capture';
import { ownCommand } from '../ownCommand';
import { UserError } from '../userError';
import type { Places } from './azureSide';
import type { Processes } from './processes';
import { startRecorder } from './recorder';
import { runSteps, type Side } from './side';
import { stackFile, type Run } from './stackFile';
import { outside, writeTrusted } from './trust';

const variables = z.object({
  HTTPS_PROXY: z.string(),
  NODE_EXTRA_CA_CERTS: z.string(),
  ARM_SUBSCRIPTION_ID: z.string(),
  ARM_TENANT_ID: z.string(),
  ARM_CLIENT_SECRET: z.string(),
});

const stack = 'azure-run';

/**
 * Deploys, verifies and destroys the stack on a local cloud of its own, which is deleted afterwards.
 *
 * @param rehearsal true if a local cloud stands in for Azure: this one is then another
 */
export async function runLocally(
  { project: cwd, folder }: Places,
  run: Run,
  { processes, rehearsal }: { readonly processes: Processes; readonly rehearsal: boolean },
): Promise<Side> {
  const state = path.join(folder, 'local');
  mkdirSync(state, { recursive: true });
  const file = path.join(folder, `Pulumi.${stack}.yaml`);
  writeFileSync(file, stackFile(run));
  const env = { ...(rehearsal ? outside(process.env) : process.env), AKS_WI_STATE: state };
  const own = (...args: string[]): string[] => [process.execPath, ...ownCommand(...args)];
  try {
    const started = await processes.run(own('cloud', 'start'), { cwd, env });
    if (started !== 0)
      throw new UserError(
        'The local cloud did not start.',
        'See the messages above, and run the command again.',
      );
    const [node = '', ...args] = own('cloud', 'env', '--json');
    const { stdout } = await capture(node, args, { cwd, env });
    const cloud = variables.parse(JSON.parse(stdout));
    const recorder = await startRecorder({
      proxy: cloud.HTTPS_PROXY,
      ca: readFileSync(cloud.NODE_EXTRA_CA_CERTS, 'utf8'),
    });
    try {
      const trusted = path.join(state, 'trusted.pem');
      writeTrusted(trusted, recorder.certificate, cloud.NODE_EXTRA_CA_CERTS);
      const recorded = {
        cwd,
        env: { ...env, AKS_WI_RECORDER: recorder.url, AKS_WI_RECORDER_CA: trusted },
      };
      const chosen = ['--stack', stack, '--stack-file', file];
      const step = (...args: string[]) => processes.run(own(...args), recorded);
      const steps = await runSteps({
        deploy: () => step('up', ...chosen, '--skip-preview', '--no-verify'),
        verify: () => step('verify', '--local', '--stack', stack),
        destroy: () => step('pulumi', ...chosen, 'destroy', '--yes', '--skip-preview', '--non-interactive'),
      });
      return {
        records: recorder.records(),
        secrets: [cloud.ARM_SUBSCRIPTION_ID, cloud.ARM_TENANT_ID, cloud.ARM_CLIENT_SECRET],
        steps,
      };
    } finally {
      await recorder.close();
    }
  } finally {
    await processes.run(own('clean', '--yes'), { cwd, env, removes: true });
  }
}
