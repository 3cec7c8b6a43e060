import { stripVTControlCharacters } from 'node:util';
import { reviewed } from '../support/reviewed';
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
  ...{ stack: 'dev', cells: undefined, workloads: [row], passed: 8, failed: 0 },
  ...{ hosted: [], groups: [], checks: [], notes: [] },
};

const render = (changes: Partial<VerificationView> = {}, terminal = 120): string =>
  stripVTControlCharacters(renderVerification({ ...view, ...changes }, terminal));

const shows = reviewed(__filename);
const shown = (title: string, changes: Partial<VerificationView> = {}, terminal?: number) =>
  shows(title, () => render(changes, terminal));
const failing = (check: string, detail: string, application = 'orders', cluster = 'aks-1') => ({
  ...{ cluster, application, check, detail, ok: false },
});

describe('the table of a verification', () => {
  shown('has a row a workload with what it reads');

  const group = {
    ...{ name: 'readers', displayName: 'sg-dev-readers', objectId: 'o', isMade: true },
    ...{ grants: [{ vault: 'kv', secret: 'shared' }], members: [] },
  };
  const grants = [{ vault: 'kv', secret: 'shared', group: 'readers' }];
  const checks = [failing('has', 'stranger', 'readers', '-')];
  shown('has a row a group, and says by which group a secret is read', {
    workloads: [{ ...row, workload: { ...row.workload, grants }, readable: ['shared'] }],
    groups: [
      { group, checks },
      { group: { ...group, name: 'others' }, checks: [] },
    ],
    checks,
  });

  const revoked = { ...workload('aks-1', 'orders', 'id-aks-1', []), revoked: true as const };
  shown('says what is revoked', { workloads: [{ ...row, workload: revoked, readable: [] }] });

  const ofPods = { ...workload('aks-1', 'orders', 'id-aks-1', [{ vault: 'kv', secret: 'db' }]) };
  shown('reports as untried what only pods can read', {
    workloads: [{ ...row, workload: { ...ofPods, signIn: 'podIdentity' }, readable: [] }],
  });

  const long = (identity: string, readable: string[]) => {
    const secrets = readable.map((secret) => ({ vault: 'kv', secret }));
    return { ...row, workload: workload('aks-prod-1', 'storefront', identity, secrets), readable };
  };
  const narrow = long('id-prod-storefront', ['orders-db', 'shared-api-key']);
  const wide = long('id-prod-aks-prod-1-storefront', ['orders-database-password']);
  shown('breaks the list of secrets where the terminal is narrow', { workloads: [narrow] }, 80);
  shown('breaks no name, so that it can be copied and searched for', { workloads: [wide] }, 80);
  shown('breaks no names in a wide terminal', { workloads: [wide] });

  it.each([100, 110, 120])('fits into %d columns', (terminal) => {
    const secrets = ['orders-db', 'shared-api-key', 'smtp-password'];
    const overreach = ['billing-db'];
    const workloads = [row, { ...long('id-prod-aks-prod-1-storefront', secrets), overreach }];
    const widths = (render({ workloads }, terminal).match(/^[│┌├└].*$/gm) ?? []).map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(terminal);
    expect(widths.length).toBeGreaterThan(4);
  });

  const trust = failing('trusts only what the stack names', 'trusts somebody', 'id-aks-1-aso');
  const grant = failing('has only the grants of the stack', 'somebody has a role', 'kv', '-');
  shown('says that a stack has no applications', { workloads: [], passed: 0 });
  shown('says what is wrong with the identities of a stack without applications', {
    ...{ workloads: [], passed: 0, failed: 1, checks: [trust] },
  });
  shown('says what an identity trusts, and what others were granted, beyond what the stack names', {
    ...{ failed: 2, checks: [trust, { ...trust, ok: true }, grant, { ...grant, ok: true }] },
  });

  const failed = [failing('reads kv/orders-db', '403 ForbiddenByRbac')];
  shown('names the failed check and its reason, and no restoring where the granted access works', {
    ...{ workloads: [{ ...row, readable: ['shared'], failed }], passed: 7, failed: 1 },
  });
  shown('has the notes of an application whose checks passed', {
    workloads: [{ ...row, notes: ['pods: 2 of 2 are simulated'] }],
  });
  shown('lists what is readable beyond what is named', {
    workloads: [{ ...row, overreach: ['billing-db'] }],
  });
  const broken = { ...row, grantsHold: false };
  shown('says once what to do when granted access does not work', {
    ...{ workloads: [broken, broken], passed: 6, failed: 2 },
  });
  shown('names what restores and deploys an environment with cells', {
    cells: [{ name: 'a', stack: 'dev-a', wave: 1, clusters: ['aks-1'] }],
    workloads: [broken],
  });
  shown("leads pulumi to the local cloud in stack local's hint", { stack: 'local', workloads: [broken] });
  shown('says what could not be listed', { notes: ['a could not be listed', 'nor could b'] });
});
