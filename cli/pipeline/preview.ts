import { accessBySettings, deployedAccess } from '../access/sources';
import { differenceInMarkdown, markerOf } from '../access/markdown';
import { accessDifference, policiesVariable } from '../../stacks/offline';
import { capture } from '../capture';
import { policyPack, pulumiError, runPulumi } from '../pulumi';
import { heldPolicies, policiesInMarkdown, type HeldPolicies } from './heldPolicies';
import type { PullRequests } from './hosting';

/** Previews the stack, and shows what the engine says of it. @returns the counts of its resources */
async function previewed(stack: string, cwd: string, held: HeldPolicies | undefined): Promise<string> {
  const plain = ['--non-interactive', '--color', 'never', '--suppress-progress'];
  const args = ['preview', '--stack', stack, ...plain, ...policyPack];
  // The pack has them from nowhere else: the stack file is the author's.
  const env = held && { [policiesVariable]: JSON.stringify(held.settings) };
  const result = await capture('pulumi', args, { cwd, env });
  process.stdout.write(result.stdout);
  if (result.code !== 0) throw pulumiError(stack, args, result);
  return /^Resources:\n(?: +\S.*\n)*/m.exec(result.stdout)?.[0].trim() ?? 'Resources: none';
}

/** Who could read what that they could not before: what is deployed, against the settings. */
async function accessChange(stack: string, cwd: string): Promise<string> {
  const outputs = await runPulumi({ name: stack, cwd }, ['stack', 'output', '--json']);
  const after = accessBySettings(stack);
  const before = outputs.trim() === '{}' ? { ...after, entries: [] } : await deployedAccess(stack);
  return differenceInMarkdown(accessDifference(before, after));
}

/** Previews the stack, and says on the pull request, if there is one, what it changes. */
export async function preview(stack: string, cwd: string, requests: PullRequests | undefined): Promise<void> {
  process.stderr.write(`Previewing ${stack} …\n`);
  const held = await heldPolicies(stack, cwd, process.env);
  const warned = held === undefined ? '' : policiesInMarkdown(held);
  process.stdout.write(warned);
  // Also where the preview fails because of it.
  const early = `${markerOf(stack)}\n${warned}The preview of ${stack} has not passed.\n`;
  if (warned !== '' && requests?.current !== undefined) await requests.comment(early);
  const counts = await previewed(stack, cwd, held);
  const change = (await accessChange(stack, cwd)).replace('\n', `\n${warned}`);
  const text = `${change}\n#### Preview of ${stack}\n\n\`\`\`\n${counts}\n\`\`\`\n`;
  process.stdout.write(`\n${text}`);
  if (requests?.current === undefined) return;
  await requests.comment(text);
  process.stderr.write(`The comment on pull request ${requests.current} is written.\n`);
}
