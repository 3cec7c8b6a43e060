/**
 * The source of a chart: a name in a repository (with `repository`), an OCI reference (`oci://…`), or a path relative to the
 * project. An absolute path or an alias of a local helm would differ on the next machine and show a difference at every
 * update (pulumi-kubernetes #2649).
 */
export interface ChartSource {
  /** Name, OCI reference or relative path. */
  readonly chart: string;
  /** URL of the chart repository. Default: none; `chart` is a path or an OCI reference. */
  readonly repository?: string;
  /** Version of the chart. Default: the newest in the repository; for a file, its own version. */
  readonly version?: string;
}

/** Returns the arguments of a release that select its chart. */
export function chartArgs({ chart, repository, version }: ChartSource) {
  return { chart, version, repositoryOpts: repository === undefined ? undefined : { repo: repository } };
}
