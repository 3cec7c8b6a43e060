import fc from 'fast-check';
import { planCertificates } from '../../../stacks/plan/certificates';

const day = 24 * 60 * 60 * 1000;
const settings = { validityDays: 90, renewBeforeDays: 30 };
const at = (text: string) => {
  const { certificates, renewAfter } = planCertificates(settings, new Date(text));
  return { names: certificates.map(({ name }) => name), renewAfter };
};

describe('the certificates that are to exist', () => {
  it('are that of the period and, for the time of overlap, the one before', () => {
    const start = Math.floor(Date.parse('2026-11-23T00:00:00Z') / (60 * day)) * 60 * day;
    const on = (days: number) => new Date(start + days * day).toISOString();
    const named = (time: string) => `${time.slice(0, 10)}-90d`;
    const [first, second] = [on(-60), on(0)].map(named);
    expect(at(on(0)).names).toEqual([first, second]);
    expect(at(on(29.9)).names).toEqual([first, second]);
    expect(at(on(30)).names).toEqual([second]);
    expect(at(on(59.9)).names).toEqual([second]);
    expect(at(on(59.9)).renewAfter).toBe(on(60));
    expect(at(on(60)).names).toEqual([second, named(on(60))]);
  });

  it('end on the last day of their overlap, whenever in their period they are made', () => {
    const start = Math.floor(Date.parse('2026-11-23T00:00:00Z') / (60 * day)) * 60 * day;
    const hoursOn = (days: number) =>
      planCertificates(settings, new Date(start + days * day)).certificates.map(
        (certificate) => certificate.validityHours,
      );
    expect(hoursOn(0)).toEqual([30 * 24, 90 * 24]);
    expect(hoursOn(29)).toEqual([24, 61 * 24]);
    expect(hoursOn(55)).toEqual([35 * 24]);
    expect(hoursOn(29 + 23.5 / 24)).toEqual([1, 60 * 24 + 1]);
  });

  it('are others with another validity, also where the periods begin on the same day', () => {
    const longer = { validityDays: 180, renewBeforeDays: 60 };
    const start = Math.floor(Date.parse('2026-11-23T00:00:00Z') / (120 * day)) * 120 * day;
    const namesOf = (changed: typeof settings) =>
      planCertificates(changed, new Date(start)).certificates.map(({ name }) => name);
    expect(namesOf(longer)).not.toContain(namesOf(settings).at(-1));
  });

  it('always include the newest of before, until it has expired', () => {
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
          expect(later.certificates.map(({ name }) => name)).toContain(before.certificates.at(-1)?.name);
          expect(Date.parse(before.renewAfter)).toBeGreaterThan(time);
        },
      ),
    );
  });
});
