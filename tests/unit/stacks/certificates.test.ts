import fc from 'fast-check';
import { planCertificates } from '../../../stacks/plan/certificates';

const day = 24 * 60 * 60 * 1000;
const settings = { validityDays: 90, renewBeforeDays: 30 };
const at = (text: string) => planCertificates(settings, new Date(text));

describe('the certificates that are to exist', () => {
  it('are that of the period and, for the time of overlap, the one before', () => {
    const start = Math.floor(Date.parse('2026-11-23T00:00:00Z') / (60 * day)) * 60 * day;
    const on = (days: number) => new Date(start + days * day).toISOString();
    const [first, second] = [on(-60).slice(0, 10), on(0).slice(0, 10)];
    expect(at(on(0)).names).toEqual([first, second]);
    expect(at(on(29.9)).names).toEqual([first, second]);
    expect(at(on(30)).names).toEqual([second]);
    expect(at(on(59.9)).names).toEqual([second]);
    expect(at(on(59.9)).renewAfter).toBe(on(60));
    expect(at(on(60)).names).toEqual([second, on(60).slice(0, 10)]);
  });

  it('always include the newest of before, until it may have expired', () => {
    const lengths = fc
      .record({
        validityDays: fc.integer({ min: 2, max: 730 }),
        renewBeforeDays: fc.integer({ min: 1, max: 364 }),
      })
      .filter(({ validityDays, renewBeforeDays }) => renewBeforeDays < validityDays);
    fc.assert(
      fc.property(
        lengths,
        fc.integer({ min: 0, max: 4e12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (lengths, time, part) => {
          const before = planCertificates(lengths, new Date(time));
          const later = planCertificates(
            lengths,
            new Date(time + Math.floor(part * (lengths.renewBeforeDays * day - 1))),
          );
          expect(later.names).toContain(before.names.at(-1));
          expect(Date.parse(before.renewAfter)).toBeGreaterThan(time);
        },
      ),
    );
  });
});
