import { isDate, isTimeZone } from '../../../components/resource/calendar';
import {
  isOpen,
  isWanted,
  neverOpens,
  nextChange,
  type AccessWindow,
} from '../../../components/accessWindows/windows';

const berlin: AccessWindow = { timeZone: 'Europe/Berlin', from: '00:00', to: '01:00' };
const businessDays = { ...berlin, days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] };
const night = { ...berlin, days: ['Friday'], from: '22:00', to: '06:00' };
const gap = { ...berlin, from: '02:30', to: '03:30' };
const oneOff = { timeZone: 'Europe/Berlin', validFrom: '2026-12-01', validUntil: '2026-12-02T12:00' };

const at = (time: string) => Date.parse(time);

describe('a window', () => {
  it.each<[string, AccessWindow, string, boolean]>([
    // 2026-11-23 is a Monday; Berlin is an hour ahead of UTC in winter, and two in summer.
    ['opens at its first minute', berlin, '2026-11-22T23:00:00Z', true],
    ['is closed the second before', berlin, '2026-11-22T22:59:59Z', false],
    ['is open in its last second', berlin, '2026-11-22T23:59:59Z', true],
    ['is closed at its end', berlin, '2026-11-23T00:00:00Z', false],
    ['has the time of summer in summer', berlin, '2026-07-01T22:30:00Z', true],
    ['opens on its days', businessDays, '2026-11-22T23:30:00Z', true],
    ['is closed on others', businessDays, '2026-11-21T23:30:00Z', false],
    ['knows the day of its place, not of UTC', businessDays, '2026-11-27T23:30:00Z', false],
    ['that crosses midnight is open before it', night, '2026-11-27T22:30:00Z', true],
    [
      'that crosses midnight is open after it, of the day on which it began',
      night,
      '2026-11-28T04:59:00Z',
      true,
    ],
    ['that crosses midnight is closed at its end', night, '2026-11-28T05:00:00Z', false],
    ['that crosses midnight is not open in the morning of its day', night, '2026-11-27T04:00:00Z', false],
    ['of 24 hours crosses midnight', { ...night, to: '22:00' }, '2026-11-28T20:59:00Z', true],
    [
      'until 24:00 ends with the day',
      { ...berlin, from: '23:00', to: '24:00' },
      '2026-11-23T22:59:59Z',
      true,
    ],
    [
      'until 24:00 is closed in the next',
      { ...berlin, from: '23:00', to: '24:00' },
      '2026-11-23T23:00:00Z',
      false,
    ],
    [
      'without times is open the whole day',
      { timeZone: 'UTC', days: ['Monday'] },
      '2026-11-23T23:59:59Z',
      true,
    ],
    ['is closed before it is valid', oneOff, '2026-11-30T22:59:59Z', false],
    ['opens when it becomes valid', oneOff, '2026-11-30T23:00:00Z', true],
    ['is open until it is not valid any more', oneOff, '2026-12-02T10:59:59Z', true],
    ['is closed from then on', oneOff, '2026-12-02T11:00:00Z', false],
  ])('%s', (_, window, time, open) => {
    expect(isOpen(window, at(time))).toBe(open);
  });

  // Clocks in Berlin go from 02:00 to 03:00 on 2026-03-29, and from 03:00 to 02:00 on 2026-10-25.
  it.each<[string, AccessWindow, string, boolean]>([
    ['begins after what the clocks skip', gap, '2026-03-29T01:00:00Z', true],
    ['is closed the minute before they skip it', gap, '2026-03-29T00:59:00Z', false],
    ['ends by the new time', gap, '2026-03-29T01:30:00Z', false],
    ['is open in a repeated hour', { ...gap, from: '02:00', to: '03:00' }, '2026-10-25T00:30:00Z', true],
    [
      'is open again when it is repeated',
      { ...gap, from: '02:00', to: '03:00' },
      '2026-10-25T01:30:00Z',
      true,
    ],
    ['is closed after both', { ...gap, from: '02:00', to: '03:00' }, '2026-10-25T02:00:00Z', false],
    ['closes between the two', { ...gap, from: '02:00', to: '02:30' }, '2026-10-25T00:45:00Z', false],
    ['opens in the second of the two', { ...gap, from: '02:00', to: '02:30' }, '2026-10-25T01:15:00Z', true],
  ])('%s', (_, window, time, open) => {
    expect(isOpen(window, at(time))).toBe(open);
  });

  it.each<[string, AccessWindow, string, boolean]>([
    [
      'is open before its end',
      { timeZone: 'Europe/Berlin', validUntil: '2026-10-25T02:30' },
      '2026-10-25T00:29:59Z',
      true,
    ],
    [
      'ends once',
      { timeZone: 'Europe/Berlin', validUntil: '2026-10-25T02:30' },
      '2026-10-25T00:30:00Z',
      false,
    ],
    [
      'does not open again when the hour is repeated',
      { timeZone: 'Europe/Berlin', validUntil: '2026-10-25T02:30' },
      '2026-10-25T01:15:00Z',
      false,
    ],
    [
      'begins once',
      { timeZone: 'Europe/Berlin', validFrom: '2026-10-25T02:30' },
      '2026-10-25T00:30:00Z',
      true,
    ],
    [
      'does not close again when the hour is repeated',
      { timeZone: 'Europe/Berlin', validFrom: '2026-10-25T02:30' },
      '2026-10-25T01:15:00Z',
      true,
    ],
    [
      'is closed before a beginning that is skipped',
      { timeZone: 'Europe/Berlin', validFrom: '2026-03-29T02:30' },
      '2026-03-29T00:59:59Z',
      false,
    ],
    [
      'begins after what is skipped',
      { timeZone: 'Europe/Berlin', validFrom: '2026-03-29T02:30' },
      '2026-03-29T01:00:00Z',
      true,
    ],
  ])('that is valid for a time %s', (_, window, time, open) => {
    expect(isOpen(window, at(time))).toBe(open);
  });

  // Clocks on Lord Howe change by half an hour: from 02:00 to 01:30 on 2026-04-05, from 02:00 to 02:30 on 2026-10-04.
  it.each([
    ['2026-04-04T14:45:00Z', true],
    ['2026-04-04T15:15:00Z', true],
    ['2026-04-04T15:30:00Z', false],
  ])('is open twice in a repeated half hour: %s', (time, open) => {
    const window = { timeZone: 'Australia/Lord_Howe', from: '01:30', to: '02:00' };
    expect(isOpen(window, at(time))).toBe(open);
  });

  it('does not exist in a half hour that is skipped', () => {
    const window = { timeZone: 'Australia/Lord_Howe', from: '02:00', to: '02:30' };
    const day = { validFrom: '2026-10-04', validUntil: '2026-10-05' };
    expect(neverOpens(window)).toBe(false);
    expect(neverOpens({ ...window, ...day })).toBe(true);
    expect(neverOpens({ ...window, ...day, to: '02:31' })).toBe(false);
  });
});

describe('the role of a window', () => {
  it.each([
    ['2026-11-22T22:49:59Z', false],
    ['2026-11-22T22:50:00Z', true],
    ['2026-11-22T22:50:30Z', true],
    ['2026-11-22T23:59:59Z', true],
    ['2026-11-23T00:00:00Z', false],
  ])('is wanted ten minutes earlier: %s', (time, wanted) => {
    expect(isWanted([businessDays], at(time))).toBe(wanted);
  });

  it('is wanted for a window of a minute as well', () => {
    expect(isWanted([{ ...berlin, to: '00:01' }], at('2026-11-22T22:55:30Z'))).toBe(true);
  });

  it('is wanted if one of several windows is open, and not without windows', () => {
    expect(isWanted([night, businessDays], at('2026-11-22T23:30:00Z'))).toBe(true);
    expect(isWanted([], at('2026-11-22T23:30:00Z'))).toBe(false);
  });
});

describe('a calendar', () => {
  it.each([
    ['2026-11-21T12:00:30Z', '2026-11-22T23:00:00.000Z'],
    ['2026-11-22T23:00:30Z', '2026-11-23T00:00:00.000Z'],
  ])('says what comes after %s', (now, next) => {
    expect(nextChange([businessDays], at(now))?.toISOString()).toBe(next);
  });

  it('is silent about more than eight days ahead', () => {
    expect(nextChange([oneOff], at('2026-11-01T00:00:00Z'))).toBeUndefined();
  });

  it.each<[string, AccessWindow, boolean]>([
    ['recurring', businessDays, false],
    [
      'of which the clocks skip the first one',
      { ...gap, days: ['Sunday'], from: '02:00', to: '03:00', validFrom: '2027-03-25' },
      false,
    ],
    ['in the future', { ...businessDays, validFrom: '2031-01-01' }, false],
    ['in the past, which no update is to be refused for', oneOff, false],
    ['of one day in its week', { ...businessDays, days: ['Sunday'], validUntil: '2026-12-01' }, false],
    ['whose end is before its beginning', { ...oneOff, validUntil: '2026-11-30' }, true],
    ['whose end is its beginning', { ...oneOff, validUntil: '2026-12-01' }, true],
    ['without one of its days', { ...oneOff, days: ['Sunday'] }, true],
    [
      'that the clocks skip',
      { ...gap, to: '02:45', validFrom: '2026-03-29', validUntil: '2026-03-30' },
      true,
    ],
  ])('knows whether a window ever opens: %s', (_, window, never) => {
    expect(neverOpens(window)).toBe(never);
  });

  it.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2028-02-29T23:59', true],
  ])('has the date %s: %s', (date, there) => {
    expect(isDate(date)).toBe(there);
  });

  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['Europe/Berlln', false],
    ['+01:00', false],
  ])('has the time zone %s: %s', (name, there) => {
    expect(isTimeZone(name)).toBe(there);
  });
});
