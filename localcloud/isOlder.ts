/**
 * Tells whether a dotted version number is lower than another one; missing parts count as zero: Go's `1.26` is older than `1.26.4`.
 * Not semver, which has no `1.26`. The product's function differs: `1.35` of Kubernetes stands for any of its patches.
 */
export function isOlder(version: string, than: string): boolean {
  const left = version.split('.').map(Number);
  const right = than.split('.').map(Number);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
