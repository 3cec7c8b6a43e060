import { container, shop, storage, windows } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { both, gained, less, loud, narrowed, perhaps, role, widened } from '../expected';
import { sources } from '../sources';

const access = from(windows, sources.conditions);
const reports = 'two/reports/reports';
const at = (place: number, field?: string) =>
  `applications.reports.accessWindows.${place}${field === undefined ? '' : `.${field}`}`;
const opener = perhaps(/access-windows/);
const warehouse = 'kv-shop/warehouse';
const reader = role('Storage Blob Data Reader', storage);

/** More times at which something is open. */
const later = (
  title: string,
  change: Change['change'],
  what: string | RegExp = warehouse,
  ...values: readonly string[]
): Change => access(title, change, widened(reports, what, both(...values)));

/** Fewer times. */
const shorter = (title: string, change: Change['change'], what: string | RegExp = warehouse): Change =>
  access(title, change, narrowed(reports, what));

/** The same times in other words. */
const same = (title: string, change: Change['change']): Change => access(title, change);

/** Access at times. */
export const windowChanges: readonly Change[] = [
  later('a window that closes later', set(at(0, 'to'), '04:00'), warehouse, '03:00', '04:00'),
  later('a window that opens earlier', set(at(0, 'from'), '00:30'), warehouse, '01:00', '00:30'),
  later(
    'a window that opens and closes at other times',
    all(set(at(0, 'from'), '02:00'), set(at(0, 'to'), '04:00')),
  ),
  later('a window on a further day', add(at(0, 'days'), 'Saturday'), warehouse, 'Saturday'),
  later('a window on every day, since none is named any more', remove(at(0, 'days'))),
  later('a window on other days', set(at(0, 'days'), ['Saturday'])),
  later(
    'a window in another time zone',
    set(at(0, 'timeZone'), 'America/New_York'),
    warehouse,
    'Europe/Berlin',
    'America/New_York',
  ),
  later('a window in a time zone of the same offset in winter', set(at(0, 'timeZone'), 'Africa/Lagos')),
  later('a window for whole days', all(remove(at(0, 'from')), remove(at(0, 'to')))),
  later('a window that passes midnight', all(set(at(0, 'from'), '01:00'), set(at(0, 'to'), '00:30'))),
  later(
    'a window that opens earlier for the first time',
    set(at(1, 'validFrom'), '2035-01-09T19:00'),
    'kv-shop/migration',
  ),
  later('a window that is open at once', remove(at(1, 'validFrom')), 'kv-shop/migration'),
  later('a window that ends later', set(at(1, 'validUntil'), '2035-01-10T07:00'), 'kv-shop/migration'),
  later('a window without an end', remove(at(1, 'validUntil')), 'kv-shop/migration'),
  later(
    'a window a year later',
    all(set(at(1, 'validFrom'), '2036-01-09T20:00'), set(at(1, 'validUntil'), '2036-01-10T06:00')),
    'kv-shop/migration',
  ),
  later('a longer time on demand', set(at(2, 'onDemand'), '8h'), 'kv-shop/payment', '4', '8'),
  later('a time on demand that is longer by a minute', set(at(2, 'onDemand'), '241m'), 'kv-shop/payment'),
  later(
    'a schedule in place of a person who opens',
    set(at(2), { secrets: ['payment'], from: '01:00', to: '03:00', timeZone: 'UTC' }),
    'kv-shop/payment',
  ),
  later('a person who opens in place of a schedule', set(at(0), { secrets: ['warehouse'], onDemand: '1h' })),
  later(
    'a further window for the same secret',
    add('applications.reports.accessWindows', { secrets: ['warehouse'], onDemand: '30m' }),
  ),
  access(
    'a secret at all times that was open at times',
    all(remove(at(0)), add('applications.reports.secrets', 'warehouse')),
    widened(reports, warehouse),
  ),
  access(
    'a role at all times that was there at times',
    all(
      remove(at(3)),
      set('applications.reports.roles', [{ role: 'Storage Blob Data Reader', scope: storage }]),
    ),
    widened(reports, reader),
  ),
  access(
    'a secret at all times that a person opened',
    all(remove(at(2)), add('applications.reports.secrets', 'payment')),
    widened(reports, 'kv-shop/payment'),
  ),
  access(
    'a secret at all times by a group that was open at times',
    all(
      remove(at(0)),
      set('groups', [{ name: 'nightly', secrets: ['warehouse'] }]),
      set('applications.reports.groups', ['nightly']),
    ),
    widened(reports, warehouse),
    perhaps(/members of group .*nightly/),
  ),
  later('a role that is there for longer', set(at(3, 'to'), '02:00'), reader, '01:00', '02:00'),
  access(
    'a further secret in a window',
    add(at(0, 'secrets'), 'billing-db'),
    gained(reports, 'kv-shop/billing-db'),
    opener,
  ),
  access(
    'a secret that a person can open',
    add(at(2, 'secrets'), 'billing-db'),
    gained(reports, 'kv-shop/billing-db'),
    opener,
  ),
  access(
    'another role in a window',
    set(at(3, 'roles.0.role'), 'Storage Blob Data Contributor'),
    gained(reports, role('Storage Blob Data Contributor', storage)),
    opener,
  ),
  access(
    'a role in a window on more',
    set(at(3, 'roles.0'), {
      role: 'Storage Blob Data Reader',
      scope: '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-data',
      scopeWiderThanResource: 'accepted',
    }),
    gained(reports, /^Storage Blob Data Reader on .*rg-data$/i),
    opener,
  ),
  from(shop, sources.conditions)(
    'the first window of an application',
    set('applications.reports.accessWindows', [
      { secrets: ['warehouse'], from: '01:00', to: '02:00', timeZone: 'UTC' },
    ]),
    gained(reports, warehouse),
    opener,
  ),
  access(
    'a further service account of an application with windows',
    set('applications.reports.serviceAccounts', ['job']),
    gained('two/reports/job', [
      'kv-shop/reports-db',
      warehouse,
      'kv-shop/migration',
      'kv-shop/payment',
      reader,
    ]),
  ),
  access(
    'what opens windows on another cluster, whose administrators can act as it',
    set('accessWindows.clusters', ['one']),
    loud(/one\/access-windows|accessWindows\.clusters/),
  ),
  access(
    'what opens windows on two clusters',
    set('accessWindows.clusters', ['two', 'one']),
    loud(/one\/access-windows|accessWindows\.clusters/),
  ),
  shorter('a window that closes earlier', set(at(0, 'to'), '02:00')),
  shorter('a window that opens later', set(at(0, 'from'), '02:00')),
  shorter('a window on fewer days', set(at(0, 'days'), ['Monday'])),
  shorter('a window with an end', set(at(0, 'validUntil'), '2035-01-01')),
  shorter(
    'a window that opens later for the first time',
    set(at(1, 'validFrom'), '2035-01-09T21:00'),
    'kv-shop/migration',
  ),
  shorter('a shorter time on demand', set(at(2, 'onDemand'), '1h'), 'kv-shop/payment'),
  shorter('a role that is there for a shorter time', set(at(3, 'to'), '00:30'), reader),
  access(
    'a secret at times that was open at all times',
    all(
      set('applications.reports.secrets', []),
      add('applications.reports.accessWindows', {
        secrets: ['reports-db'],
        from: '01:00',
        to: '02:00',
        timeZone: 'UTC',
      }),
    ),
    narrowed(reports, 'kv-shop/reports-db'),
    opener,
  ),
  access('a window less', remove(at(0)), less(reports, warehouse)),
  access('a window that is over', set(at(0, 'validUntil'), '2026-01-01'), less(reports, warehouse)),
  same(
    'the days of a window in another order',
    set(at(0, 'days'), ['Friday', 'Thursday', 'Wednesday', 'Tuesday', 'Monday']),
  ),
  same(
    'the same window in two parts',
    set('applications.reports.accessWindows', [
      ...['01:00 02:00', '02:00 03:00'].map((times) => ({
        secrets: ['warehouse'],
        days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
        from: times.slice(0, 5),
        to: times.slice(6),
        timeZone: 'Europe/Berlin',
      })),
      ...(windows['applications'] as { name: string; accessWindows: object[] }[])
        .filter(({ name }) => name === 'reports')
        .flatMap(({ accessWindows }) => accessWindows.slice(1)),
    ]),
  ),
  same('the same time zone by its other name', set(at(3, 'timeZone'), 'Etc/UTC')),
  same('the same time on demand in minutes', set(at(2, 'onDemand'), '240m')),
  same(
    'all days of a window by their names',
    set(at(3, 'days'), [...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']]),
  ),
  same('windows in another order', (settings) => {
    const reversed = (settings['applications'] as { name: string; accessWindows?: object[] }[]).map(
      (application) =>
        application.name === 'reports'
          ? { ...application, accessWindows: [...(application.accessWindows ?? [])].reverse() }
          : application,
    );
    return { ...settings, applications: reversed };
  }),
  from(
    all(set('applications.orders.roles', [{ role: 'Storage Blob Data Reader', scope: container }]))(windows),
    sources.conditions,
  )(
    'a role of another application at all times, beside a window on it',
    set('applications.reports.accessWindows.3.to', '00:45'),
    narrowed(reports, reader),
  ),
];
