/** Access that could not be removed or listed. */
export interface Failure {
  what: string;
  reason: string;
  /** The command to run instead. */
  command: string;
}
