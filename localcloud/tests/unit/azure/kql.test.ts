import { runQuery, type Result } from '../../../azure/logs/kql';
import { parseQuery } from '../../../azure/logs/kqlParser';
import { QueryError } from '../../../azure/logs/errors';
import { rangeOf } from '../../../azure/logs/timespan';

const table: Result = {
  columns: [
    { name: 'TimeGenerated', type: 'datetime' },
    { name: 'Operation', type: 'string' },
    { name: 'Status', type: 'int' },
    { name: 'Identity', type: 'dynamic' },
  ],
  rows: [
    {
      TimeGenerated: '2026-01-01T00:00:00.000Z',
      Operation: 'SecretGet',
      Status: 200,
      Identity: { claim: { oid: 'a' } },
    },
    {
      TimeGenerated: '2026-01-02T00:00:00.000Z',
      Operation: 'SecretGet',
      Status: 403,
      Identity: { claim: { oid: 'b' } },
    },
    {
      TimeGenerated: '2026-01-03T00:00:00.000Z',
      Operation: 'secretList',
      Status: 200,
      Identity: { claim: { oid: 'a' } },
    },
    { TimeGenerated: '2026-01-04T00:00:00.000Z', Operation: 'Authentication', Status: 401, Identity: {} },
  ],
};
const run = (pipeline: string) => runQuery(parseQuery(`T ${pipeline}`), table);
const times = (pipeline: string) =>
  run(pipeline).rows.map(({ TimeGenerated }) => Number(String(TimeGenerated).slice(8, 10)));

/** The innermost message of the refusal. */
function refused(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return JSON.stringify(error.inner ?? error.message);
  }
  throw new Error('it was not refused');
}

describe('a query', () => {
  it.each([
    ['Operation == "SecretGet"', [1, 2]],
    ['Operation != "SecretGet"', [3, 4]],
    ['Operation =~ "SECRETGET"', [1, 2]],
    ['Operation startswith "secret"', [1, 2, 3]],
    ['Operation contains "CRETL"', [3]],
    ['Operation in ("SecretGet", "Authentication")', [1, 2, 4]],
    ['Operation in~ ("SECRETLIST")', [3]],
    ['Status >= 400', [2, 4]],
    ['Status < 400 and Operation == "SecretGet"', [1]],
    ['tostring(Identity.claim.oid) == "a"', [1, 3]],
    ['tostring(Identity.claim.oid) == ""', [4]],
    ['TimeGenerated > datetime(2026-01-02T12:00:00Z)', [3, 4]],
  ])('keeps the rows where %s', (condition, expected) => {
    expect(times(`| where ${condition}`)).toEqual(expected);
  });

  it('orders, descending unless it says otherwise, and takes', () => {
    expect(times('| order by TimeGenerated | take 2')).toEqual([4, 3]);
    expect(times('| sort by TimeGenerated asc | limit 1')).toEqual([1]);
  });

  it('projects members of dynamic columns, under their own names or others', () => {
    expect(run('| take 1 | project Oid = tostring(Identity.claim.oid), Status, Identity.claim.oid')).toEqual({
      columns: [
        { name: 'Oid', type: 'string' },
        { name: 'Status', type: 'int' },
        { name: 'Identity_claim_oid', type: 'dynamic' },
      ],
      rows: [{ Oid: 'a', Status: 200, Identity_claim_oid: 'a' }],
    });
  });

  it('summarizes by columns', () => {
    const query =
      '| summarize Times = count(), First = min(TimeGenerated), arg_max(TimeGenerated, Operation), max(Status) by Oid = tostring(Identity.claim.oid)';
    expect(run(query).columns.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'Oid: string',
      'Times: long',
      'First: datetime',
      'TimeGenerated: datetime',
      'Operation: string',
      'max_Status: int',
    ]);
    expect(run(query).rows[0]).toEqual({
      ...{ Oid: 'a', Times: 2, First: '2026-01-01T00:00:00.000Z', max_Status: 200 },
      ...{ TimeGenerated: '2026-01-03T00:00:00.000Z', Operation: 'secretList' },
    });
  });

  it.each([
    ['| extend a = 1', "the operator 'extend' of KQL"],
    ['| join (U) on a', "the operator 'join' of KQL"],
    ['| where Operation has "a"', "the condition 'has' of KQL"],
    ['| where Operation == "a" or Status == 1', "does not know 'or' at this place"],
    ['| where ago(7d) < TimeGenerated', "the function 'ago' of KQL"],
    ['| where Status == ago', "the literal 'ago' of KQL"],
    ['| summarize dcount(Status)', "the aggregation 'dcount' of KQL"],
    ['| where Operation == "a', 'is not understood'],
    ['| where', 'ends too early'],
    ['| where Missing == "a"', "Failed to resolve scalar expression named 'Missing'"],
    ['| where operation == "a"', "Failed to resolve scalar expression named 'operation'"],
    ['| where Status == "200"', "is of type 'int'"],
    ['| where Identity.claim.oid == "a"', 'tostring(…) of it'],
    ['| where Operation.a == "a"', 'is not dynamic'],
    ['| summarize count() by Identity.claim.oid', 'Please use an explicit cast'],
  ])('is refused, naming what is wrong: %s', (pipeline, reason) => {
    expect(refused(() => run(pipeline))).toContain(reason);
  });
});

describe('a timespan', () => {
  const now = Date.parse('2026-01-10T00:00:00Z');
  const hour = 60 * 60 * 1000;
  it.each([
    ['P1D', now - 24 * hour, now],
    ['PT1H30M', now - 1.5 * hour, now],
    ['2026-01-09T00:00:00Z/2026-01-09T01:00:00Z', now - 24 * hour, now - 23 * hour],
    ['2026-01-09T00:00:00Z/PT1H', now - 24 * hour, now - 23 * hour],
    ['PT1H/2026-01-09T01:00:00Z', now - 24 * hour, now - 23 * hour],
  ])('is understood: %s', (text, from, to) => {
    expect(rangeOf(text, now)).toEqual({ from, to });
  });

  it.each(['7d', 'P', 'P1W', 'P1D/P1D', '2026-01-09T00:00:00Z', 'a/b/c'])('is refused: %s', (text) => {
    expect(refused(() => rangeOf(text, now))).toContain(text);
  });
});
