/** A pull request that a pipeline opens. */
interface NewPullRequest {
  branch: string;
  base: string;
  title: string;
  text: string;
}

/** The pull requests of the system that a pipeline runs in. */
export interface PullRequests {
  /** Number of the pull request that the pipeline runs for; undefined if it runs for none. */
  readonly current: string | undefined;
  /** Writes a comment, or replaces the one with the same first line. */
  comment(text: string): Promise<void>;
  /** Opens a pull request, or rewrites title and text of the branch's open one. Returns its URL. */
  open(request: NewPullRequest): Promise<string>;
}

/** Returns the first line, which identifies a comment. Editing in a browser turns line ends into \r\n. */
export const markerIn = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';
