import { UserError } from '../userError';

/** Returns the version that a go.mod pins for a module; a `replace` line with a version takes precedence. */
export function pinnedVersion(goMod: string, modulePath: string): string {
  const path = escape(modulePath);
  const replaced = new RegExp(
    `^(?:replace\\s+)?\\s*${path}(?:\\s+v\\S+)?\\s+=>\\s+\\S+\\s+(v\\S+)`,
    'm',
  ).exec(goMod);
  const required = new RegExp(`^(?:require\\s+)?\\s*${path}\\s+(v\\S+)`, 'm').exec(goMod);
  const version = replaced?.[1] ?? required?.[1];
  if (version === undefined) {
    throw new UserError(`go.mod does not require ${modulePath}; its version is needed to build.`);
  }
  return version;
}

/** Returns the Go version of a go.mod, such as `1.26.4`. */
export function goDirective(goMod: string): string {
  const version = /^go\s+(\S+)\s*$/m.exec(goMod)?.[1];
  if (version === undefined) throw new UserError('go.mod has no line "go VERSION".');
  return version;
}

/** Replaces `v(path)`, `bare(path)`, `major(path)` and `minor(path)` with the pinned version, or its part. */
export function expandVersions(template: string, goMod: string): string {
  return template.replace(/^(v|bare|major|minor)\(([^)]+)\)$/, (_all, part: string, modulePath: string) => {
    const version = pinnedVersion(goMod, modulePath);
    const [major = '', minor = ''] = version.slice(1).split('.');
    switch (part) {
      case 'bare':
        return version.slice(1);
      case 'major':
        return major;
      case 'minor':
        return minor;
      default:
        return version;
    }
  });
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
