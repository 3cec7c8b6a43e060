import { environmentIn, stackFileOf, textWithSettings } from '../../stacks/cells';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { readPolicySettings, type PolicySettings } from '../../stacks/settings/schema/policies';
import { settingIn } from '../../stacks/settings/settingIn';
import { readStack } from '../project';
import { git } from './run';

/** The policy settings that apply to a pull request. Its author cannot change them. */
export interface HeldPolicies {
  readonly settings: PolicySettings;
  /**
   * Changes of the pull request to these settings, or the reason why the strictest settings apply; empty if it changes none.
   */
  readonly findings: readonly string[];
  /** Its changes in `bootstrap/`, as lines of a diff. */
  readonly bootstrap: readonly string[];
}

/** Returns the target branch of a pull request; undefined if the pipeline does not run for one. */
function baseBranch(env: NodeJS.ProcessEnv): string | undefined {
  if (/^refs\/pull\//.test(env.GITHUB_REF ?? '')) return env.GITHUB_BASE_REF || 'its base';
  if (!env.SYSTEM_PULLREQUEST_PULLREQUESTID) return undefined;
  return env.SYSTEM_PULLREQUEST_TARGETBRANCH?.replace(/^refs\/heads\//, '') || 'its base';
}

/**
 * Returns the policy settings of the target branch, if the pipeline runs for a pull request; for a cell, those of its
 * environment. The checkout is the merge commit; its first parent is the branch.
 */
export async function heldPolicies(
  stack: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<HeldPolicies | undefined> {
  const branch = baseBranch(env);
  if (branch === undefined) return undefined;
  const { file: ownFile, text } = readStack(cwd, stack);
  const own = readPolicySettings(settingIn(textWithSettings(text, projectFiles(cwd)), 'policies'));
  const inBase = await baseText(cwd, ownFile);
  // A cell has the policies of its environment, also if the cell is new.
  const environment = environmentIn(inBase ?? text);
  const file = environment === undefined ? ownFile : stackFileOf(environment);
  const base = environment === undefined ? inBase : await baseText(cwd, file);
  if (base === undefined)
    return {
      settings: { ...own, level: 'mandatory', production: true, exceptions: [] },
      findings: [
        `${file} of ${branch} cannot be read, so the strictest policies apply: all mandatory, for production, without exceptions. If the file exists, check out two commits of the merge (\`fetch-depth: 2\`). \`bootstrap/\` was not compared.`,
      ],
      bootstrap: [],
    };
  const settings = readPolicySettings(settingIn(base, 'policies'));
  const diff = await git(cwd, 'diff', '--unified=0', 'HEAD^1', 'HEAD', '--', 'bootstrap');
  const keys = ['level', 'production', 'requiredTags', 'exceptions'] as const;
  const shown = (of: PolicySettings, key: (typeof keys)[number]) =>
    of[key] === undefined ? 'not set' : JSON.stringify(of[key]);
  return {
    settings,
    bootstrap: diff.split('\n').filter((line) => /^[-+]/.test(line)),
    findings: keys
      .filter((key) => shown(own, key) !== shown(settings, key))
      .map(
        (key) =>
          `\`policies.${key}\` is ${shown(settings, key)} in ${branch}, and would be ${shown(own, key)}. The value in ${branch} applies until it is merged.`,
      ),
  };
}

/** Returns the text of a file in the target branch of a merge; undefined if HEAD is not a merge, or it lacks the file. */
async function baseText(cwd: string, file: string): Promise<string | undefined> {
  try {
    await git(cwd, 'rev-parse', '--verify', 'HEAD^2');
    return await git(cwd, 'show', `HEAD^1:./${file}`);
  } catch {
    return undefined;
  }
}

/** Maximum number of lines of the diff that a comment shows. */
const most = 200;

/** Returns the first lines of the comment on the pull request. */
export function policiesInMarkdown({
  findings,
  bootstrap,
}: Pick<HeldPolicies, 'findings' | 'bootstrap'>): string {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`### ⚠️ ${title}`, '', ...lines, ''];
  const changed =
    bootstrap.length === 0
      ? []
      : [
          'This changes `bootstrap/`, which defines who may sign in as a pipeline and what it may do. A person deploys it, with its policies: `pulumi -C bootstrap up --policy-pack ../policy`.',
          ...['', '```diff', ...bootstrap.slice(0, most), ...(bootstrap.length > most ? ['…'] : []), '```'],
        ];
  const report = [
    ...section(
      'Policies',
      findings.map((finding) => `- ${finding}`),
    ),
    ...section('Pipelines', changed),
  ];
  return report.length === 0 ? '' : `${report.join('\n')}\n`;
}
