/** Issuer of the tokens of GitHub Actions (docs.github.com, actions/reference/security/oidc). */
const gitHubIssuer = 'https://token.actions.githubusercontent.com';

/** A job of GitHub Actions, identified by the subject of its token. */
export interface GitHubJob {
  /** `owner/name`, in the letter case that GitHub shows. */
  readonly repository: string;
  /**
   * Numeric ids of owner and repository, as in the tokens of repositories that were created, renamed or transferred after
   * July 15, 2026, and of those with immutable subjects: `gh api repos/{owner}/{repo}/actions/oidc/customization/sub` shows
   * the prefix. Default: the tokens contain only the names.
   */
  readonly ids?: GitHubIds;
  /** Environment of the job. Default: none, for jobs without an environment that a pull request started. */
  readonly environment?: string;
  /**
   * Issuer of the tokens: `https://HOSTNAME/_services/token` for GitHub Enterprise Server. Default:
   * `https://token.actions.githubusercontent.com`.
   */
  readonly issuer?: string;
}

/** Numeric ids, which are never reused. */
export interface GitHubIds {
  /** Id of the owner. */
  readonly owner: number;
  /** Id of the repository. */
  readonly repository: number;
}

/** A service connection of Azure DevOps with workload identity federation; it shows both values. */
export interface ServiceConnection {
  /**
   * Its issuer: `https://login.microsoftonline.com/<tenant>/v2.0`, or `https://vstoken.dev.azure.com/<organization>` for
   * older ones, which is retired on July 1, 2027.
   */
  readonly issuer: string;
  /** Its subject, copied from it; for older ones `sc://<organization>/<project>/<connection>`. */
  readonly subject: string;
}

/** A pipeline that signs in without a stored credential: `gitHub` or `serviceConnection`. */
export interface TrustedPipeline {
  /** Name of the federated credential, 3 to 120 letters, digits, hyphens and underscores. */
  readonly name: string;
  /** A job of GitHub Actions. */
  readonly gitHub?: GitHubJob;
  /** A service connection of Azure DevOps. */
  readonly serviceConnection?: ServiceConnection;
}

/** Returns issuer and subject of the tokens of a pipeline. */
export function claimsOf({ gitHub, serviceConnection }: TrustedPipeline): ServiceConnection {
  return gitHub === undefined
    ? (serviceConnection ?? { issuer: '', subject: '' })
    : { issuer: gitHub.issuer ?? gitHubIssuer, subject: subjectOfJob(gitHub) };
}

/** Returns the subject claim of a job's token. Entra compares it case-sensitively. */
function subjectOfJob({ repository, ids, environment }: GitHubJob): string {
  const [owner = '', name = ''] = repository.split('/');
  const place = ids === undefined ? repository : `${owner}@${ids.owner}/${name}@${ids.repository}`;
  // GitHub writes a colon in a part of a subject as %3A.
  const context =
    environment === undefined ? 'pull_request' : `environment:${environment.replaceAll(':', '%3A')}`;
  return `repo:${place}:${context}`;
}
