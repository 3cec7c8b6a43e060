import { accessBySettings } from '../access/sources';
import { differenceInMarkdown } from '../access/markdown';
import { accessDifference } from '../../stacks/offline';
import { shownInFence, shownInMarkdown } from '../shownInMarkdown';
import { capture } from '../capture';
import { deployedAccess } from '../deployedAccess';
import { policyPack, pulumiError } from '../pulumi';
import type { PullRequests } from './hosting';
import { print, say } from '../print';

/** Previews the stack, and shows what the engine says of it. @returns the counts of its resources */
async function previewed(stack: string, cwd: string): Promise<string> {
  const plain = ['--non-interactive', '--color', 'never', '--suppress-progress'];
  const args = ['preview', '--stack', stack, ...plain, ...policyPack];
  const result = await capture('pulumi', args, { cwd });
  print(result.stdout);
  if (result.code !== 0) throw pulumiError(stack, args, result);
  return /^Resources:\n(?: +\S.*\n)*/m.exec(result.stdout)?.[0].trim() ?? 'Resources: none';
}

/** Who could use what that they could not before: what is deployed, against the settings. */
async function accessChange(stack: string, cwd: string): Promise<string> {
  const before = await deployedAccess({ name: stack, cwd });
  const after = await accessBySettings(stack, before.subscriptionId);
  return differenceInMarkdown(accessDifference(before, after));
}

/** Previews the stack, and says on the pull request, if there is one, what it changes. */
export async function preview(stack: string, cwd: string, requests: PullRequests | undefined): Promise<void> {
  say(`Previewing ${stack} …\n`);
  const counts = await previewed(stack, cwd);
  const text = `${await accessChange(stack, cwd)}\n#### Preview of ${shownInMarkdown(stack)}\n\n\`\`\`\n${shownInFence(counts)}\n\`\`\`\n`;
  print(`\n${text}`);
  if (requests?.current === undefined) return;
  await requests.comment(text);
  say(`The comment on pull request ${requests.current} is written.\n`);
}
