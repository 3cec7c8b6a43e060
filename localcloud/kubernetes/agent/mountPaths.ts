/** A path inside the container, and the folder or file on the host that plays it. */
export interface PathMapping {
  mountPath: string;
  hostPath: string;
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A process has no mounts of its own, so each mention of a mount path in its arguments and environment is
 * replaced by the host folder. A mention is a whole path: `/data` is none in `/database` or `https://x/data`.
 */
export function replaceMountPaths(text: string, mappings: readonly PathMapping[]): string {
  const useful = mappings
    .map(({ mountPath, hostPath }) => ({ mountPath: mountPath.replace(/\/+$/, ''), hostPath }))
    .filter(({ mountPath }) => mountPath !== '');
  if (useful.length === 0) return text;
  // In one pass and the longest first: a host folder may itself contain a mount path.
  useful.sort((a, b) => b.mountPath.length - a.mountPath.length);
  const hosts = new Map(useful.map(({ mountPath, hostPath }) => [mountPath, hostPath]));
  const paths = useful.map(({ mountPath }) => escape(mountPath)).join('|');
  return text.replace(
    new RegExp(`(?<![\\w./-])(?:${paths})(?=$|[^\\w.-])`, 'g'),
    (match) => hosts.get(match) ?? match,
  );
}
