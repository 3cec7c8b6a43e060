import path from 'node:path';
import { accessBySettings } from '../access/sources';
import { differenceInMarkdown, markerOf } from '../access/markdown';
import { accessDifference } from '../../stacks/access/difference';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { shownInFence, shownInMarkdown } from '../shownInMarkdown';
import { capture } from '../capture';
import { comparableAccess } from '../deployedAccess';
import { hasCells } from '../environments';
import { readStack } from '../project';
import { policyPack, pulumiError } from '../pulumi';
import { heldPolicies, policiesInMarkdown, type HeldPolicies } from './heldPolicies';
import type { PullRequests } from './pullRequests';
import { print, printNote } from '../print';

/**
 * Previews the stack, and shows the engine's output.
 * @returns the counts of its resources
 */
async function previewed(stack: string, cwd: string, policies: HeldPolicies | undefined): Promise<string> {
  const plain = ['--non-interactive', '--color', 'never', '--suppress-progress'];
  const args = ['preview', '--stack', stack, ...plain, ...policyPack];
  // The pack gets its settings only from here: the author can change the stack file.
  const env = policies && { [ownVariables.policies]: JSON.stringify(policies.settings) };
  const result = await capture('pulumi', args, { cwd, env });
  print(result.stdout);
  if (result.code !== 0) throw pulumiError({ name: stack, cwd }, args, result);
  return /^Resources:\n(?: +\S.*\n)*/m.exec(result.stdout)?.[0].trim() ?? 'Resources: none';
}

/** Compares who can use what in the deployed stack with what the settings would give. */
async function accessChange(stack: string, cwd: string): Promise<string> {
  const before = await comparableAccess({ name: stack, cwd });
  const after = await accessBySettings(stack, { subscriptionId: before.subscriptionId });
  return differenceInMarkdown(accessDifference(before, after));
}

/** Previews the stack, and describes the change on the pull request, if there is one. */
export async function preview(stack: string, cwd: string, requests: PullRequests | undefined): Promise<void> {
  printNote(`Previewing ${stack} …\n`);
  const policies = await heldPolicies(stack, cwd, process.env);
  const warned = policies === undefined ? '' : policiesInMarkdown(policies);
  print(warned);
  // Written even if the preview fails because of it.
  const early = `${markerOf(stack)}\n${warned}The preview of ${shownInMarkdown(stack)} has not passed.\n`;
  if (warned !== '' && requests?.current !== undefined) await requests.comment(early);
  const counts = await previewed(stack, cwd, policies);
  const change = (await accessChange(stack, cwd)).replace('\n', `\n${warned}`);
  const ofCells = hasCells(readStack(cwd, path.posix.basename(stack)).text)
    ? '\nThese are the resources of the environment alone. Its cells are previewed when they are deployed, after it. The access above is that of all cells.\n'
    : '';
  const text = `${change}\n#### Preview of ${shownInMarkdown(stack)}\n\n\`\`\`\n${shownInFence(counts)}\n\`\`\`\n${ofCells}`;
  print(`\n${text}`);
  if (requests?.current === undefined) return;
  await requests.comment(text);
  printNote(`The comment on pull request ${requests.current} is written.\n`);
}
