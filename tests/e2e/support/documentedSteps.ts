import path from 'node:path';
import { projectRoot, runProcess } from '../../support/command';
import type { LocalCloud } from '../../support/localCloud';

/**
 * Runs commands of the documentation one after the other in one shell, as a reader would. Only the state folder in them is
 * replaced.
 */
export async function runDocumented({ state }: LocalCloud, commands: readonly string[]): Promise<void> {
  // `./.state` stays, because the local cloud itself replaces it in a stack file.
  const folder = path.relative(projectRoot, state);
  const lines = commands.map((command) => command.replaceAll(/(?<!\.\/)\.state\//g, `${folder}/`));
  const script = ['npx() { "node_modules/.bin/$1" "${@:2}"; }', ...lines].join('\n');
  const { code, stdout, stderr } = await runProcess('bash', ['-e', '-c', script], {
    AKS_WI_STATE: state,
    CI: 'true',
  });
  if (code !== 0) throw new Error(`${lines.join('\n')}\nended with ${code}\n${stdout}\n${stderr}`);
}

/** Creates the resources that an example requires, with the commands of its page. */
export function makePrerequisites(cloud: LocalCloud, example: string): Promise<void> {
  return runDocumented(cloud, [
    'eval "$(npx aks-wi cloud env)"',
    `node examples/prerequisites.mjs examples/configurations/${example}/prerequisites.yaml`,
  ]);
}
