import { mostKeys, mostNamed, mostOpen, OpenParts } from '../../../reconciler/tokenEvents/openParts';

const times = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('the lines of open requests', () => {
  it('are kept up to a number per pod, and the oldest are dropped', () => {
    const parts = new OpenParts();
    for (const time of times(9000)) parts.add('pod', 'same', time);

    const taken = times(9000).filter(() => parts.take(new Set(['pod'])) !== undefined);
    expect(taken).toHaveLength(mostOpen);
  });

  it('are kept for a number of pods, those with the latest requests', () => {
    const parts = new OpenParts();
    parts.add('first', '', 0);
    for (const time of times(mostKeys)) parts.add(`pod-${time}`, '', time);

    expect(parts.keys).toHaveLength(mostKeys);
    expect(parts.has('first')).toBe(false);
    expect(parts.has(`pod-${mostKeys - 1}`)).toBe(true);
  });

  it('have at most one value more than are named, also when two are merged', () => {
    const parts = new OpenParts();
    for (const time of times(9000)) parts.add(`pod-${time % 2}`, `value-${time}`, time);

    const taken = parts.take(new Set(['pod-0', 'pod-1']));
    expect(taken?.values).toEqual(
      times(9000)
        .slice(-mostNamed - 1)
        .map((time) => `value-${time}`),
    );
    const more = times(9000).filter(() => parts.take(new Set(['pod-0'])) !== undefined);
    expect(more).toHaveLength(mostOpen - 1);
    expect(parts.keys).toEqual([]);
  });

  it('forget a value without recent requests, while others are open', () => {
    const parts = new OpenParts();
    parts.add('pod', 'old', 1);
    parts.add('pod', 'new', 2);
    parts.forgetBefore(2);

    expect(parts.take(new Set(['pod']))?.values).toEqual(['new']);
    expect(parts.take(new Set(['pod']))).toBeUndefined();
  });
});
