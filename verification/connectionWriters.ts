import { connectionWriterActions } from '../stacks/offline';
import type { Access } from './access';
import type { VerifiedOutputs } from './checks';
import type { CheckResult } from './results';
import { Refusable, type Unlisted } from './unlisted';

/**
 * Checks that the role of what keeps connection strings current allows what the stack gave it, and nothing else: its assignments
 * are among the grants of the stack, but somebody may have changed the role. Never rejects.
 */
export async function checkConnectionWriters(
  { connectionWriters = [], subscriptionId }: VerifiedOutputs,
  access: Pick<Access, 'listActions'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<{ checks: readonly CheckResult[]; unlisted: readonly Unlisted[] }> {
  const lists = new Refusable(limited);
  const checks = await Promise.all(
    connectionWriters.map(async ({ cluster, name, role }) => {
      const id = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
      const found = await lists.read(name, async () => ({ actions: await access.listActions(id) }));
      if (found === undefined) return [];
      const check = 'may only list keys and write secrets';
      return [{ cluster, application: name, check, ...judge(found.actions) }];
    }),
  );
  return { checks: checks.flat(), unlisted: lists.unlisted };
}

function judge(actions: readonly string[] | undefined): Pick<CheckResult, 'ok' | 'detail'> {
  if (actions === undefined)
    return { ok: false, detail: 'its role is gone; `pulumi up --refresh` restores it' };
  const allowed = new Set(connectionWriterActions.map((one) => one.toLowerCase()));
  const held = new Set(actions.map((one) => one.toLowerCase()));
  const more = actions.filter((one) => !allowed.has(one.toLowerCase()));
  const fewer = connectionWriterActions.filter((one) => !held.has(one.toLowerCase()));
  if (more.length + fewer.length === 0) return { ok: true, detail: `${held.size} actions, no others` };
  const said = [
    ...(more.length > 0 ? [`its role allows ${more.join(', ')} as well`] : []),
    ...(fewer.length > 0 ? [`its role does not allow ${fewer.join(', ')}`] : []),
  ];
  return { ok: false, detail: `${said.join(' and ')}; \`pulumi up --refresh\` restores it` };
}
