/** A pull request that a pipeline opens. */
interface NewPullRequest {
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

/** The first line, by which a comment is found again; who edits it in a browser leaves \r\n. */
export const markerIn = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';
