/** Whether a dotted version number is lower than another one; missing parts count as zero. */
export function isOlder(version: string, than: string): boolean {
  const left = version.split('.').map(Number);
  const right = than.split('.').map(Number);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
