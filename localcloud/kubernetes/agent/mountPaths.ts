/** A path in the container, and the host folder or file for it. */
export interface PathMapping {
  mountPath: string;
  hostPath: string;
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Replaces mount paths in arguments and environment variables with host folders, because processes have no mounts of
 * their own. Only whole paths match: `/data` matches neither in `/database` nor in `https://x/data`.
 */
export function replaceMountPaths(text: string, mappings: readonly PathMapping[]): string {
  const useful = mappings
    .map(({ mountPath, hostPath }) => ({ mountPath: mountPath.replace(/\/+$/, ''), hostPath }))
    .filter(({ mountPath }) => mountPath !== '');
  if (useful.length === 0) return text;
  // Replaced in one pass, because a host folder may itself contain a mount path. The longest path comes first.
  useful.sort((a, b) => b.mountPath.length - a.mountPath.length);
  const hosts = new Map(useful.map(({ mountPath, hostPath }) => [mountPath, hostPath]));
  const paths = useful.map(({ mountPath }) => escape(mountPath)).join('|');
  return text.replace(
    new RegExp(`(?<![\\w./-])(?:${paths})(?=$|[^\\w.-])`, 'g'),
    (match) => hosts.get(match) ?? match,
  );
}
