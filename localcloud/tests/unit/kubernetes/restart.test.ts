import { backoffMs, restarts } from '../../../kubernetes/agent/restart';

describe('restart of containers', () => {
  it.each([
    ['Always', 0, true],
    ['Always', 1, true],
    ['OnFailure', 0, false],
    ['OnFailure', 137, true],
    ['Never', 0, false],
    ['Never', 1, false],
  ] as const)('under %s after exit code %d: %s', (policy, code, expected) => {
    expect(restarts(policy, code)).toBe(expected);
  });

  it('comes at once, then after doubling delays up to a minute', () => {
    expect([0, 1, 2, 3, 7, 50].map(backoffMs)).toEqual([0, 1000, 2000, 4000, 60_000, 60_000]);
  });
});
