/**
 * Tells whether a version is older than another: `1.34`, `1.35.3` and `1.35.4-beta.1` are older than `1.35.4`, but `1.35` is not,
 * because it stands for any of its patches. A leading `v` and build metadata do not count.
 * Not semver, which has no `1.35`. The local cloud's function counts a missing part as zero, because Go's `1.26` is one version.
 */
export function isOlder(version: string, than: string): boolean {
  const one = partsOf(version);
  const other = partsOf(than);
  const place = one.numbers.split('.').length;
  const order = compare(one.numbers, other.numbers.split('.').slice(0, place).join('.'));
  if (order !== 0) return order < 0;
  // A pre-release comes before its release.
  return one.preRelease !== '' && (other.preRelease === '' || compare(one.preRelease, other.preRelease) < 0);
}

function partsOf(version: string) {
  const [, numbers = '', preRelease = ''] = /^v?([\d.]+)(?:-([^+]+))?/.exec(version) ?? [];
  return { numbers, preRelease };
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
