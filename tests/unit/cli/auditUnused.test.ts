import { stripVTControlCharacters } from 'node:util';
import { renderUnused } from '../../../cli/audit/table';
import { coverageNotes, unusedGrants } from '../../../cli/audit/unused';
import { identity, workload } from '../verification/outputs.fixture';
import { foreign, requests } from './auditRows';

describe('unused grants', () => {
  const since = new Date('2027-01-01T00:00:00Z');
  const workloads = [
    workload('aks-1', 'orders', 'id-shared', [{ vault: 'kv-central', secret: 'orders-db' }]),
    workload('aks-1', 'billing', 'id-shared', [
      { vault: 'kv-central', secret: 'orders-db' },
      { vault: 'kv-central', secret: 'billing-db' },
    ]),
    workload('aks-2', 'reports', 'id-reports', [{ vault: 'kv-unlogged', secret: 'reports-db' }]),
  ];
  const own = { ObjectId: 'principal-id-shared' };
  const uri = (secret: string) => ({
    RequestUri: `https://kv-central.vault.azure.net:8443/secrets/${secret}?api-version=7.6`,
  });
  const unused = (...changes: Record<string, unknown>[]) =>
    unusedGrants(workloads, requests(...changes), since).map(
      ({ applications, secret, lastRead }) =>
        `${applications.join('+')} ${secret} ${lastRead?.toISOString() ?? 'never'}`,
    );

  it('are those that nothing used, by identity; a vault without a log has none', () => {
    expect(unused({ ...own, ...uri('ORDERS-DB') })).toEqual(['billing billing-db never']);
    expect(unused()).toEqual([]);
  });

  it('are used neither by refused reads, lists, other readers nor the verification', () => {
    const both = ['orders+billing orders-db never', 'billing billing-db never'];
    expect(unused({ ...own, ...uri('orders-db'), HttpStatusCode: 403 })).toEqual(both);
    expect(unused({ ...own, ...uri('orders-db'), OperationName: 'SecretListVersions' })).toEqual(both);
    expect(unused({ ...own, ...uri('orders-db'), ClientInfo: 'aks-wi-verify x' })).toEqual(both);
    expect(unused({ ...foreign, ...uri('orders-db') })).toEqual(both);
  });

  it('say when they were last read, if that was before', () => {
    const before = { First: new Date('2026-11-01'), TimeGenerated: new Date('2026-12-01T00:00:00Z') };
    expect(unused({ ...own, ...uri('orders-db'), ...before }, { ...own, ...uri('billing-db') })).toEqual([
      'orders+billing orders-db 2026-12-01T00:00:00.000Z',
    ]);
  });

  it('are not those of an identity whose other generation reads', () => {
    const [orders] = workloads;
    if (orders === undefined) throw new Error('none');
    const rotating = [{ ...orders, identitiesBeside: [identity('id-g2')] }];
    const read = requests({ ...uri('orders-db'), ObjectId: 'principal-id-g2' });
    expect(unusedGrants(rotating, read, since)).toEqual([]);
  });

  it('are those of a group only if no member reads, with the group to take it from', () => {
    const grants = [{ vault: 'kv-central', secret: 'shared', group: 'readers' }];
    const members = [workload('aks-1', 'a', 'id-a', grants), workload('aks-1', 'b', 'id-b', grants)];
    const by = (name: string) => requests({ ...uri('shared'), ObjectId: `principal-${name}` });
    expect(unusedGrants(members, by('id-b'), since)).toEqual([]);
    const [only, ...others] = unusedGrants(members, by('id-c'), since);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ applications: ['a', 'b'], group: 'readers', lastRead: undefined });
    const text = stripVTControlCharacters(
      renderUnused('dev', only === undefined ? [] : [only], { days: 30, notes: [] }, 200),
    );
    expect(text).toContain('shared from `secrets` of the group readers');
  });

  it('come with what the log does not show', () => {
    const now = new Date('2027-02-15T00:00:00Z');
    const notes = coverageNotes(
      ['kv-central', 'kv-unlogged'],
      requests({ First: new Date('2027-01-02T00:00:00Z') }),
      { since, now, retentionInDays: 30 },
    );
    expect(notes).toEqual([
      'The workspace keeps logs for 30 days: earlier reads are unknown.',
      'The log of vault kv-central begins on 2027-01-02T00:00:00.000Z: a grant may have been used earlier.',
      'The log has no request to vault kv-unlogged, so the use of its grants is unknown. The vault may be new, or send its log elsewhere.',
    ]);
    expect(
      coverageNotes(['kv-central'], requests({ First: new Date('2026-12-01') }), {
        ...{ since, now, retentionInDays: 90 },
      }),
    ).toEqual([]);
  });

  it('are a table with what to remove', () => {
    const grants = unusedGrants(workloads, requests({ ...own, ...uri('orders-db') }), since);
    const text = stripVTControlCharacters(renderUnused('dev', grants, { days: 30, notes: [] }, 200));
    expect(text).toContain('billing-db from `secrets` of billing');
    expect(text).toContain('never');
    expect(text).not.toContain('orders-db');
    expect(stripVTControlCharacters(renderUnused('dev', [], { days: 30, notes: [] }))).toMatch(
      /^No grant of stack dev in the log was unused for 30 days/,
    );
  });
});
