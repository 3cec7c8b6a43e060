import { builtInRoles } from '../../../components/azure/roles';
import { describeOnDemand } from '../../../components/accessWindows/onDemand';
import type { RoleAssignment } from '../../../verification/access';
import type { WindowCheck } from '../../../verification/checks';
import { planChecks } from '../../../verification/plan';
import { assignmentOf, judgeWindow } from '../../../verification/accessWindows';
import { reviewed } from '../support/reviewed';
import { twoClusters } from './outputs.fixture';

const monday = { days: ['Monday'], from: '08:00', to: '09:00', timeZone: 'UTC' };
const check: WindowCheck = { kind: 'window', vault: 'kv', secret: 'warehouse', windows: [monday] };
const onDemand: WindowCheck = { ...check, windows: [], onDemand: '1h' };
const scope = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv/secrets/warehouse';
const assignment: RoleAssignment = {
  ...{ id: `${scope}/a`, name: 'a', scope, role: builtInRoles.keyVaultSecretsUser, principalId: 'p' },
};
const forbidden = { kind: 'forbidden' as const, text: 'refused by RBAC' };
const demanded = (until: string) => ({
  ...assignment,
  description: describeOnDemand({ until: new Date(until), reason: 'incident 42' }),
});
const shows = reviewed(__filename);

/** Shows the verdict on a window, which is read, or refused with this failure. */
const judged = (
  title: string,
  window: WindowCheck,
  time: string,
  found: RoleAssignment | undefined | null,
  failure?: Parameters<typeof judgeWindow>[1]['failure'],
) =>
  shows(title, () => {
    const now = Date.parse(`2026-11-30T${time}:00Z`);
    const { ok, detail } = judgeWindow(window, { now, assignment: found, failure });
    return `${ok ? 'ok' : 'failed'}: ${detail}`;
  });

describe('a window', () => {
  // 2026-11-30 is a Monday.
  judged('open', check, '08:30', assignment);
  judged('open of which nothing could be listed', check, '08:30', null);
  judged('open that nobody opened', check, '08:00', undefined, forbidden);
  judged('closed', check, '12:00', undefined, forbidden);
  judged('closed that can be read', check, '12:00', assignment);
  judged('closed that another grant opens', check, '12:00', undefined);
  judged('closed that somebody just assigned', check, '12:00', assignment, forbidden);
  judged('that opens soon', check, '07:50', assignment);
  judged('that opens soon, and is not yet', check, '07:55', assignment, forbidden);
  judged('that does not open so soon', check, '07:49', assignment);
  judged('closed just now', check, '09:05', undefined);
  judged('closed long enough ago', check, '09:10', undefined);
  const noAnswer = { kind: 'unavailable' as const, text: 'no answer' };
  judged('is no proof where the vault does not answer', check, '12:00', undefined, noAnswer);

  judged('on demand: closed', onDemand, '12:00', undefined, forbidden);
  judged('on demand: open', onDemand, '12:00', demanded('2026-11-30T12:30:00Z'));
  judged('on demand: open by a clock that is ahead', onDemand, '12:00', demanded('2026-11-30T13:05:00Z'));
  const later = demanded('2026-11-30T12:30:00Z');
  judged('on demand: open, and not yet effective', onDemand, '12:00', later, forbidden);
  judged('on demand: open after its end', onDemand, '12:00', demanded('2026-11-30T12:00:00Z'));
  judged('on demand: open for too long', onDemand, '12:00', demanded('2026-11-30T13:05:01Z'));
  judged('on demand: open where nobody may', check, '12:00', later);

  const ofRole: WindowCheck = {
    ...{ kind: 'window', role: builtInRoles.storageBlobDataContributor, scope, windows: [monday] },
  };
  judged('of a role: open', ofRole, '08:30', assignment);
  judged('of a role: open that nobody opened', ofRole, '08:30', undefined);
  judged('of a role: closed', ofRole, '12:00', undefined);
  judged('of a role: closed that somebody assigned', ofRole, '12:00', assignment);
  judged('of a role: that opens soon, and is not yet', ofRole, '07:55', undefined);
  judged('of a role: closed of which nothing could be listed', ofRole, '12:00', null);
  judged(
    'of a role: on demand',
    { ...ofRole, windows: [], onDemand: '1h' },
    '12:00',
    demanded('2026-11-30T12:30:00Z'),
  );

  it('is checked instead of a refusal', () => {
    const outputs = twoClusters();
    const [workload] = outputs.workloads;
    if (workload === undefined) throw new Error('there is no workload');
    const vault = Object.keys(outputs.vaults)[0] ?? '';
    outputs.vaults[vault]?.secrets.push('warehouse');
    workload.windows = [{ vault, secret: 'warehouse', windows: [monday] }];
    const kinds = planChecks(outputs, workload).flatMap((planned) =>
      'secret' in planned && planned.secret === 'warehouse' ? [planned.kind] : [],
    );
    expect(kinds).toEqual(['window']);
  });
});

describe('the assignment of a window', () => {
  const workload = {
    ...twoClusters().workloads[0],
    identity: { id: 'i', name: 'n', clientId: 'c', principalId: 'p' },
  };
  const find = (listed: Promise<RoleAssignment[]>) =>
    assignmentOf(
      { listAssignments: () => listed },
      {
        vaults: {
          kv: { id: scope.replace('/secrets/warehouse', ''), uri: 'u', access: 'rbac', secrets: [] },
        },
      },
      workload as Parameters<typeof assignmentOf>[2],
      check,
    );

  it('is that of the identity, of the role, and on the secret itself', async () => {
    const others = [
      { ...assignment, principalId: 'q' },
      { ...assignment, role: builtInRoles.reader },
      { ...assignment, scope: '/subscriptions/s' },
    ];
    expect(await find(Promise.resolve([...others, assignment]))).toBe(assignment);
    expect(await find(Promise.resolve(others))).toBeUndefined();
    expect(await find(Promise.reject(new Error('403')))).toBeNull();
  });
});
