import { azureDevOps } from './azureDevOps';
import { systemOf } from './environment';
import { gitHub } from './gitHub';
import type { PullRequests } from './pullRequests';

/**
 * Returns the pull requests of the pipeline's system; undefined on a workstation, and on Azure DevOps for a repository that is
 * elsewhere.
 */
export function pullRequests(env: NodeJS.ProcessEnv): PullRequests | undefined {
  if (systemOf(env) === 'GitHub Actions') return gitHub(env);
  return env.BUILD_REPOSITORY_PROVIDER === 'TfsGit' ? azureDevOps(env) : undefined;
}
