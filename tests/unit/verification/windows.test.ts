import { builtInRoles, describeOnDemand } from '../../../stacks/offline';
import type { RoleAssignment } from '../../../verification/access';
import type { WindowCheck } from '../../../verification/checks';
import { planChecks } from '../../../verification/plan';
import { assignmentOf, judgeWindow } from '../../../verification/windows';
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
const removal = `remove it: az role assignment delete --ids ${assignment.id}`;
const unattended = 'is the pod in the namespace access-windows running?';

describe('a window', () => {
  // 2026-11-30 is a Monday.
  it.each<[string, string, RoleAssignment | undefined | null, 'read' | 'refused', string]>([
    ['open', '08:30', assignment, 'read', 'ok: open until 2026-11-30T09:00:00.000Z'],
    [
      'open of which nothing could be listed',
      '08:30',
      null,
      'read',
      'ok: open until 2026-11-30T09:00:00.000Z',
    ],
    [
      'open that nobody opened',
      '08:00',
      undefined,
      'refused',
      `failed: open until 2026-11-30T09:00:00.000Z, and the vault refuses it: refused by RBAC; ${unattended}`,
    ],
    ['closed', '12:00', undefined, 'refused', 'ok: closed, opens at 2026-12-07T08:00:00.000Z'],
    [
      'closed that can be read',
      '12:00',
      assignment,
      'read',
      `failed: is closed, opens at 2026-12-07T08:00:00.000Z, and can be read; ${unattended}; ${removal}`,
    ],
    [
      'closed that another grant opens',
      '12:00',
      undefined,
      'read',
      `failed: is closed, opens at 2026-12-07T08:00:00.000Z, and can be read; ${unattended}`,
    ],
    [
      'closed that somebody just assigned',
      '12:00',
      assignment,
      'refused',
      `failed: is closed, opens at 2026-12-07T08:00:00.000Z, and has a role assignment; ${unattended}; ${removal}`,
    ],
    [
      'that opens soon',
      '07:50',
      assignment,
      'read',
      'ok: opens at 2026-11-30T08:00:00.000Z; readable already',
    ],
    [
      'that opens soon, and is not yet',
      '07:55',
      assignment,
      'refused',
      'ok: opens at 2026-11-30T08:00:00.000Z; refused already',
    ],
    [
      'that does not open so soon',
      '07:49',
      assignment,
      'read',
      `failed: is closed, opens at 2026-11-30T08:00:00.000Z, and can be read; ${unattended}; ${removal}`,
    ],
    ['closed just now', '09:05', undefined, 'read', 'ok: closed less than 10 minutes ago; readable still'],
    [
      'closed long enough ago',
      '09:10',
      undefined,
      'read',
      `failed: is closed, opens at 2026-12-07T08:00:00.000Z, and can be read; ${unattended}`,
    ],
  ])('%s', (_, time, found, does, expected) => {
    const failure = does === 'read' ? undefined : forbidden;
    const now = Date.parse(`2026-11-30T${time}:00Z`);
    const { ok, detail } = judgeWindow(check, { now, assignment: found, failure });
    expect(`${ok ? 'ok' : 'failed'}: ${detail}`).toBe(expected);
  });

  it.each<[string, WindowCheck, RoleAssignment | undefined, 'read' | 'refused', string]>([
    ['closed', onDemand, undefined, 'refused', 'ok: closed, opens on demand for up to 1h'],
    [
      'open',
      onDemand,
      demanded('2026-11-30T12:30:00Z'),
      'read',
      'ok: open on demand until 2026-11-30T12:30:00.000Z (incident 42); readable now',
    ],
    [
      'open by a clock that is ahead',
      onDemand,
      demanded('2026-11-30T13:05:00Z'),
      'read',
      'ok: open on demand until 2026-11-30T13:05:00.000Z (incident 42); readable now',
    ],
    [
      'open, and not yet effective',
      onDemand,
      demanded('2026-11-30T12:30:00Z'),
      'refused',
      'ok: open on demand until 2026-11-30T12:30:00.000Z (incident 42); refused now',
    ],
    [
      'open after its end',
      onDemand,
      demanded('2026-11-30T12:00:00Z'),
      'read',
      `failed: is closed, opens on demand for up to 1h, and can be read; ${unattended}; ${removal}`,
    ],
    [
      'open for too long',
      onDemand,
      demanded('2026-11-30T13:05:01Z'),
      'read',
      `failed: is closed, opens on demand for up to 1h, and can be read; ${unattended}; ${removal}`,
    ],
    [
      'open where nobody may',
      check,
      demanded('2026-11-30T12:30:00Z'),
      'read',
      `failed: is closed, opens at 2026-12-07T08:00:00.000Z, and can be read; ${unattended}; ${removal}`,
    ],
  ])('on demand: %s', (_, given, found, does, expected) => {
    const failure = does === 'read' ? undefined : forbidden;
    const { ok, detail } = judgeWindow(given, {
      now: Date.parse('2026-11-30T12:00:00Z'),
      assignment: found,
      failure,
    });
    expect(`${ok ? 'ok' : 'failed'}: ${detail}`).toBe(expected);
  });

  it('is no proof where the vault does not answer', () => {
    const failure = { kind: 'unavailable' as const, text: 'no answer' };
    const now = Date.parse('2026-11-30T12:00:00Z');
    expect(judgeWindow(check, { now, assignment: undefined, failure })).toEqual({
      ok: false,
      detail: 'no answer',
    });
  });

  it('is checked instead of a refusal', () => {
    const outputs = twoClusters();
    const [workload] = outputs.workloads;
    if (workload === undefined) throw new Error('there is no workload');
    const vault = Object.keys(outputs.vaults)[0] ?? '';
    outputs.vaults[vault]?.secrets.push('warehouse');
    workload.windows = [{ vault, secret: 'warehouse', windows: [monday] }];
    const kinds = planChecks(outputs, workload).flatMap((one) =>
      'secret' in one && one.secret === 'warehouse' ? [one.kind] : [],
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
