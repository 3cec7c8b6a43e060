import { planChecks } from '../../../verification/plan';
import { checkName, withIdentitiesBeside, type VerifiedOutputs } from '../../../verification/checks';
import { toReport } from '../../../verification/report';
import { identity, twoClusters } from './outputs.fixture';

/** The outputs while the identity of `billing` is rotated. */
function rotating(): VerifiedOutputs {
  const outputs = twoClusters();
  const workloads = outputs.workloads.map((workload) =>
    workload.application === 'billing'
      ? { ...workload, identitiesBeside: [identity('id-billing-g2')] }
      : workload,
  );
  return withIdentitiesBeside({ ...outputs, workloads });
}

describe('another generation of an identity', () => {
  it('is checked as the one in use, but for what runs', () => {
    const outputs = rotating();
    const [inUse = [], beside = []] = outputs.workloads
      .filter(({ application }) => application === 'billing')
      .map((workload) => planChecks(outputs, workload).map(checkName));

    expect(inUse).toContain('pods');
    expect(beside).toEqual(inUse.filter((name) => name !== 'pods' && !name.startsWith('annotations')));
    expect(beside.filter((name) => /^(token exchange|reads|is refused)/.test(name)).length).toBeGreaterThan(
      2,
    );
  });

  it('is named in the report', () => {
    const workload = rotating().workloads.find(({ beside }) => beside);
    if (workload === undefined) throw new Error('none');

    const { checks } = toReport({
      workloads: [{ workload, outcomes: [{ check: { kind: 'exchange' }, ok: true, detail: '' }] }],
      checks: [],
    });

    expect(checks.map(({ check }) => check)).toEqual(['token exchange, as id-billing-g2']);
  });

  it('is nothing that outputs without it have', () => {
    expect(withIdentitiesBeside(twoClusters())).toEqual(twoClusters());
  });
});
