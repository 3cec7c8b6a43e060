import { stripVTControlCharacters } from 'node:util';
import { renderVerification } from '../../../cli/verifyTable';

const row = {
  cluster: 'aks-1',
  application: 'orders',
  identity: 'id-aks-1',
  readable: ['orders-db', 'shared'],
  granted: 2,
  overreach: [],
  failed: [],
};

const render = (...args: Parameters<typeof renderVerification>): string =>
  stripVTControlCharacters(renderVerification(...args));

describe('the table of a verification', () => {
  it('has a row a workload with what it reads', () => {
    const text = render([row], 8, 0);
    expect(text).toMatch(/cluster\s+│ application\s+│ identity\s+│ secrets readable\s+│ verdict/);
    expect(text).toMatch(/aks-1\s+│ orders\s+│ id-aks-1\s+│ 2 of 2: orders-db, shared\s+│ ok/);
    expect(text).toContain('8 checks passed, 0 failed');
    expect(text).not.toContain('Failed:');
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
    const text = render([{ ...row, readable: ['shared'], failed }], 7, 1);
    expect(text).toMatch(/1 of 2: shared\s+│ 1 failed/);
    expect(text).toContain('✗ aks-1/orders: reads kv/orders-db: 403 ForbiddenByRbac');
  });

  it('lists what is readable beyond what is named', () => {
    const text = render([{ ...row, overreach: ['billing-db'] }], 8, 0);
    expect(text).toContain('ok, overreach');
    expect(text).toContain('! aks-1/orders: billing-db');
  });
});
