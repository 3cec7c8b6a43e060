import fc from 'fast-check';
import { PodAddresses } from '../../../kubernetes/agent/podAddresses';

describe('addresses of pods', () => {
  it('are in the upper half of the pod range, each with one owner', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { maxLength: 300 }), (uids) => {
        const addresses = new PodAddresses();
        const taken = uids.map((uid) => addresses.take(uid));
        expect(new Set(taken).size).toBe(uids.length);
        for (const address of taken) {
          const [a, b, c, d] = address.split('.').map(Number);
          expect([a, b]).toEqual([10, 244]);
          expect(c).toBeGreaterThanOrEqual(128);
          expect(c).toBeLessThan(256);
          expect([0, 255]).not.toContain(d);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('stay those of an earlier run unless another pod has them', () => {
    const addresses = new PodAddresses();
    expect(addresses.take('a', '10.244.200.7')).toBe('10.244.200.7');
    expect(addresses.take('b', '10.244.200.7')).not.toBe('10.244.200.7');
    addresses.release('10.244.200.7');
    expect(addresses.take('c', '10.244.200.7')).toBe('10.244.200.7');
  });
});
