import { connectionWriterActions } from '../components/dependency/keys';
import type { Access } from './access';
import type { VerifiedOutputs } from './checks';
import type { CheckResult } from './results';
import { Refusable, type Unlisted } from './unlisted';

/**
 * Checks that the connection writers' roles allow exactly what the stack grants them. Their assignments are checked as grants
 * of the stack, but somebody may have changed the roles. Never rejects.
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
      const list = await lists.read(name, async () => ({ actions: await access.listActions(id) }));
      if (list === undefined) return [];
      const check = 'may only list keys and write secrets';
      return [{ cluster, application: name, check, ...judge(list.actions) }];
    }),
  );
  return { checks: checks.flat(), unlisted: lists.unlisted };
}

function judge(actions: readonly string[] | undefined): Pick<CheckResult, 'ok' | 'detail'> {
  if (actions === undefined)
    return { ok: false, detail: 'its role is gone; `pulumi up --refresh` restores it' };
  const expected = new Set(connectionWriterActions.map((action) => action.toLowerCase()));
  const actual = new Set(actions.map((action) => action.toLowerCase()));
  const extra = actions.filter((action) => !expected.has(action.toLowerCase()));
  const missing = connectionWriterActions.filter((action) => !actual.has(action.toLowerCase()));
  if (extra.length + missing.length === 0) return { ok: true, detail: `${actual.size} actions, no others` };
  const problems = [
    ...(extra.length > 0 ? [`its role also allows ${extra.join(', ')}`] : []),
    ...(missing.length > 0 ? [`its role does not allow ${missing.join(', ')}`] : []),
  ];
  return { ok: false, detail: `${problems.join(' and ')}; \`pulumi up --refresh\` restores it` };
}
