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

/** The first line, by which a comment is found again. */
export const markerIn = (text: string): string => text.split('\n', 1)[0] ?? '';

/** A client of such a system, which sends and receives JSON. @param remedy what to do if it refuses */
export function jsonClient(headers: Record<string, string>, remedy: string) {
  return async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<unknown> => {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    if (response.ok) return response.json();
    const { host, pathname } = new URL(url);
    throw new VisibleError(`${host} answered ${response.status} to ${method} ${pathname}.`, remedy);
  };
}

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
