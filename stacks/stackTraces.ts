/**
 * Leaves stack traces that nobody reads unmapped, and keeps equal ones once. Pulumi records a stack trace for each promise, to
 * report leaks: four for each property of each resource, with the same text. The TypeScript loader maps every trace to its source,
 * which takes a sixth of a preview's time. These records are errors without a message (@pulumi/pulumi, runtime/debuggable.js). All
 * other errors are mapped.
 */
export function leaveUnreadStackTraces(): void {
  const mapped = Reflect.get(Error, 'prepareStackTrace') as typeof Error.prepareStackTrace | undefined;
  if (mapped === undefined) return;
  const texts = new Map<number, string>();
  Error.prepareStackTrace = (error, frames): unknown => {
    if (error.message !== '') return mapped(error, frames);
    const place = placeOf(frames);
    const known = texts.get(place);
    if (known !== undefined) return known;
    const text = [error.name, ...frames.map(String)].join('\n    at ');
    texts.set(place, text);
    return text;
  };
}

/** Returns a number for the positions of all frames in their files: 53 bits, which two traces of a program do not share. */
function placeOf(frames: NodeJS.CallSite[]): number {
  let high = 0;
  let low = 0;
  for (const frame of frames) {
    const position = frame.getPosition();
    high = Math.imul(high ^ position, 0x9e3779b1);
    low = (Math.imul(low, 31) + position) | 0;
  }
  return high * 2 ** 21 + (low & (2 ** 21 - 1));
}
