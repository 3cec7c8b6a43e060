import { VisibleError } from '../visibleError';
import { azureDevOps } from './azureDevOps';
import { systemOf } from './environment';
import { gitHub } from './gitHub';

/** A pull request that a pipeline opens. */
export interface NewPullRequest {
  branch: string;
  base: string;
  title: string;
  text: string;
}

/** The pull requests of the system that a pipeline runs in. */
export interface PullRequests {
  /** Number of the one that the pipeline runs for; undefined: for none. */
  readonly current: string | undefined;
  /** Writes a comment, or replaces the one that begins with the same line. */
  comment(text: string): Promise<void>;
  /** Opens a pull request, or rewrites title and text of the one that the branch has; its address. */
  open(request: NewPullRequest): Promise<string>;
}

/** Undefined on a workstation, and on Azure DevOps for a repository that is elsewhere. */
export function pullRequests(env: NodeJS.ProcessEnv): PullRequests | undefined {
  if (systemOf(env) === 'GitHub Actions') return gitHub(env);
  return env.BUILD_REPOSITORY_PROVIDER === 'TfsGit' ? azureDevOps(env) : undefined;
}

/** The first line, by which a comment is found again; who edits it in a browser leaves \r\n. */
export const markerIn = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

/** The variables that a system sets by itself, or that the step has to pass. */
export function required<T extends string>(
  env: NodeJS.ProcessEnv,
  names: readonly T[],
  remedy: string,
): Record<T, string> {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new VisibleError(`The step lacks ${missing.join(', ')}.`, remedy);
  return Object.fromEntries(names.map((name) => [name, env[name] ?? ''])) as Record<T, string>;
}
