/**
 * Where a chart comes from: a name in a repository (`repository` given), an OCI reference (`oci://…`), or a
 * path relative to the project. A path that is absolute, or an alias of a local helm, would be another on the
 * next machine and show a difference at every update (pulumi-kubernetes #2649).
 */
export interface ChartSource {
  /** Name, OCI reference or relative path. */
  readonly chart: string;
  /** URL of the chart repository. Default: none: `chart` is a path or an OCI reference. */
  readonly repository?: string;
  /** Version of the chart. Default: that of the file; of the newest, from a repository. */
  readonly version?: string;
}

/** The arguments of a release that select its chart. */
export function chartArgs({ chart, repository, version }: ChartSource) {
  return { chart, version, repositoryOpts: repository === undefined ? undefined : { repo: repository } };
}
