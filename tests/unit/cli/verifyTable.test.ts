import { stripVTControlCharacters } from 'node:util';
import { workload } from '../verification/outputs.fixture';
import { renderVerification, type VerificationView } from '../../../cli/verify/table';

const row = {
  workload: workload('aks-1', 'orders', 'id-aks-1', [
    { vault: 'kv', secret: 'orders-db' },
    { vault: 'kv', secret: 'shared' },
  ]),
  readable: ['orders-db', 'shared'],
  overreach: [],
  notes: [],
  grantsHold: true,
  failed: [],
};

const view: VerificationView = {
  ...{ stack: 'dev', workloads: [row], passed: 8, failed: 0 },
  ...{ hosted: [], groups: [], checks: [], notes: [] },
};

const render = (changes: Partial<VerificationView> = {}, terminal = 120): string =>
  stripVTControlCharacters(renderVerification({ ...view, ...changes }, terminal));

describe('the table of a verification', () => {
  it('has a row a workload with what it reads', () => {
    const text = render();
    expect(text).toMatch(/cluster\s+│ application\s+│ identity\s+│ secrets readable\s+│ verdict/);
    expect(text).toMatch(/aks-1\s+│ orders\s+│ id-aks-1\s+│ 2 of 2: orders-db, shared\s+│ ok/);
    expect(text).toContain('8 checks passed, 0 failed');
    expect(text).not.toContain('Failed:');
  });

  it('has a row a group, and says by which group a secret is read', () => {
    const group = {
      ...{ name: 'readers', displayName: 'sg-dev-readers', objectId: 'o', isMade: true },
      ...{ grants: [{ vault: 'kv', secret: 'shared' }], members: [] },
    };
    const check = { cluster: '-', application: 'readers', check: 'has', ok: false, detail: 'stranger' };
    const grants = [{ vault: 'kv', secret: 'shared', group: 'readers' }];
    const text = render({
      workloads: [{ ...row, workload: { ...row.workload, grants }, readable: ['shared'] }],
      groups: [
        { group, checks: [check] },
        { group: { ...group, name: 'others' }, checks: [] },
      ],
    });
    expect(text).toMatch(/1 of 1: shared \(group readers\)\s+│ ok/);
    expect(text).toMatch(/group\s+│ members\s+│ secrets\s+│ verdict/);
    expect(text).toMatch(/readers\s+│ none\s+│ shared\s+│ 1 failed/);
    expect(text).toMatch(/others\s+│ none\s+│ shared\s+│ not listed/);
    expect(text).toContain('✗ -/readers: has: stranger');
  });

  it('says what is revoked', () => {
    const revoked = { ...workload('aks-1', 'orders', 'id-aks-1', []), revoked: true as const };
    expect(render({ workloads: [{ ...row, workload: revoked, readable: [] }] })).toMatch(
      /id-aks-1\s+│ none: revoked\s+│ ok/,
    );
  });

  const long = (identity: string, readable: string[]) => ({
    ...row,
    workload: workload(
      'aks-prod-1',
      'storefront',
      identity,
      readable.map((secret) => ({ vault: 'kv', secret })),
    ),
    readable,
  });
  const rowsOf = (text: string) =>
    (text.match(/^│.*│$/gm) ?? []).slice(1).map((line) =>
      line
        .split('│')
        .map((cell) => cell.trim())
        .slice(3, 5),
    );

  it('breaks the list of secrets where the terminal is narrow', () => {
    const text = render({ workloads: [long('id-prod-storefront', ['orders-db', 'shared-api-key'])] }, 80);
    expect(rowsOf(text)).toEqual([
      ['id-prod-storefront', '2 of 2: orders-db,'],
      ['', 'shared-api-key'],
    ]);
  });

  it('breaks names only where that is not enough', () => {
    const workloads = [long('id-prod-aks-prod-1-storefront', ['orders-database-password'])];
    expect(rowsOf(render({ workloads }, 80))).toEqual([
      ['id-prod-aks-', '1 of 1:'],
      ['prod-1-', 'orders-database-password'],
      ['storefront', ''],
    ]);
    expect(rowsOf(render({ workloads }))).toEqual([
      ['id-prod-aks-prod-1-storefront', '1 of 1: orders-database-password'],
    ]);
  });

  it.each([80, 90, 100])('fits into %d columns', (terminal) => {
    const overreach = ['billing-db'];
    const secrets = ['orders-db', 'shared-api-key', 'smtp-password'];
    const workloads = [row, { ...long('id-prod-aks-prod-1-storefront', secrets), overreach }];
    const widths = (render({ workloads }, terminal).match(/^[│┌├└].*$/gm) ?? []).map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(terminal);
    expect(widths.length).toBeGreaterThan(4);
  });

  it('says that a stack has no applications, and what is wrong with its identities all the same', () => {
    const none = 'Stack dev has no applications whose access could be verified.\n\n';
    expect(render({ workloads: [], passed: 0 })).toBe(`${none}0 checks passed, 0 failed\n`);
    const check = {
      ...{ cluster: 'aks-1', application: 'id-aks-1-aso', check: 'trusts only what the stack names' },
      ...{ ok: false, detail: 'trusts somebody' },
    };
    expect(render({ workloads: [], passed: 0, failed: 1, checks: [check] })).toBe(
      `${none}Failed:\n  ✗ aks-1/id-aks-1-aso: trusts only what the stack names: trusts somebody\n\n0 checks passed, 1 failed\n`,
    );
  });

  it('says which check failed and why', () => {
    const failed = [
      {
        cluster: 'aks-1',
        application: 'orders',
        check: 'reads kv/orders-db',
        ok: false,
        detail: '403 ForbiddenByRbac',
      },
    ];
    const text = render({ workloads: [{ ...row, readable: ['shared'], failed }], passed: 7, failed: 1 });
    expect(text).toMatch(/1 of 2: shared\s+│ 1 failed/);
    expect(text).toContain('✗ aks-1/orders: reads kv/orders-db: 403 ForbiddenByRbac');
  });

  it('says what an identity trusts, and what others were granted, beyond what the stack names', () => {
    const trust = {
      ...{ cluster: 'aks-1', application: 'id-aks-1', check: 'trusts only what the stack names' },
      ...{ ok: false, detail: 'trusts somebody' },
    };
    const grant = {
      ...{ cluster: '-', application: 'kv', check: 'has only the grants of the stack' },
      ...{ ok: false, detail: 'somebody has a role' },
    };
    const text = render({
      failed: 2,
      checks: [trust, { ...trust, ok: true }, grant, { ...grant, ok: true }],
    });
    expect(text.match(/✗ .*/g)).toEqual([
      '✗ aks-1/id-aks-1: trusts only what the stack names: trusts somebody',
      '✗ -/kv: has only the grants of the stack: somebody has a role',
    ]);
  });

  it('says what is to be known of an application whose checks passed', () => {
    const text = render({ workloads: [{ ...row, notes: ['pods: 2 of 2 are simulated'] }] });
    expect(text).toContain('! aks-1/orders: pods: 2 of 2 are simulated\n\n8 checks passed, 0 failed\n');
  });

  it('lists what is readable beyond what is named', () => {
    const text = render({ workloads: [{ ...row, overreach: ['billing-db'] }] });
    expect(text).toContain('ok, overreach');
    expect(text).toContain('! aks-1/orders: billing-db');
  });

  it('says once what to do when something that was given does not hold', () => {
    const broken = { ...row, grantsHold: false };
    const text = render({ workloads: [broken, broken], passed: 6, failed: 2 });
    expect(text.match(/--refresh/g)).toHaveLength(1);
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      '→ If something was changed or removed outside Pulumi: `pulumi up --refresh --stack dev` reads what really exists and restores it. After `aks-wi revoke`, `pulumi up` makes the stack expect what is revoked.',
    );
  });

  it("leads pulumi to the local cloud in stack local's remedy", () => {
    const text = render({ stack: 'local', workloads: [{ ...row, grantsHold: false }] });
    expect(text).toContain(
      '`npx aks-wi pulumi up --refresh` (or `npx aks-wi pulumi refresh`, then `make up`) reads what really exists and restores it.',
    );
  });

  it('promises no restoring where what was given holds', () => {
    const failed = [{ cluster: 'a', application: 'b', check: 'is refused kv/c', ok: false, detail: 'd' }];
    expect(render({ workloads: [{ ...row, failed }], failed: 1 })).not.toContain('--refresh');
  });

  it('says what could not be listed', () => {
    expect(render({ notes: ['a could not be listed', 'nor could b'] })).toContain(
      '! a could not be listed\n! nor could b\n\n8 checks passed, 0 failed\n',
    );
  });
});
