import { isDate, isTimeZone, weekdays } from '../../components/resource/calendar';
import { durationOf } from '../../components/resource/duration';
import type { AccessWindow } from '../../components/accessWindows/windows';
import type { Schedule, WindowedGrant } from '../../components/accessWindows/schedule';

type Fields = Readonly<Record<string, unknown>>;

const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isOptional = (allowed: (text: string) => boolean) => (value: unknown) =>
  value === undefined || (isNonEmptyString(value) && allowed(value));
const isTime = isOptional((text) => /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text));

/** The fields of a window, each with the check of its value. */
const windowFields: Readonly<Record<keyof AccessWindow, (value: unknown) => boolean>> = {
  days: (value) =>
    value === undefined || (Array.isArray(value) && value.every((day) => weekdays.includes(day as string))),
  from: isTime,
  to: isTime,
  timeZone: (value) => isNonEmptyString(value) && isTimeZone(value),
  validFrom: isOptional(isDate),
  validUntil: isOptional(isDate),
};

/** Tells whether every field of a window is known and valid: an unknown field might shorten the window. */
function isWindow(value: unknown): value is AccessWindow {
  const fields = (value ?? {}) as Fields;
  return (
    Object.keys(fields).every((key) => Object.hasOwn(windowFields, key)) &&
    Object.entries(windowFields).every(([key, isAllowed]) => isAllowed(fields[key]))
  );
}

/**
 * Parses the schedule. A grant with invalid windows gets none and is listed in `closed`.
 * @throws if the grants themselves cannot be read
 */
export function parseSchedule(text: string): Schedule & { readonly closed: readonly string[] } {
  const { resourceManager, grants } = (JSON.parse(text) ?? {}) as Fields;
  if (!isNonEmptyString(resourceManager) || !Array.isArray(grants))
    throw new Error('the schedule has no `resourceManager` or no `grants`');
  const closed: string[] = [];
  const parsed = grants.map((grant: unknown): WindowedGrant => {
    const { scope, role, principalId, reader, windows, onDemand } = (grant ?? {}) as Fields;
    if (
      !isNonEmptyString(scope) ||
      !isNonEmptyString(role) ||
      !isNonEmptyString(principalId) ||
      !isNonEmptyString(reader)
    )
      throw new Error('a grant of the schedule has no `scope`, no `role`, no `principalId` or no `reader`');
    const hasWindows = Array.isArray(windows) && windows.every(isWindow);
    const hasLimit =
      onDemand === undefined || (isNonEmptyString(onDemand) && durationOf(onDemand) !== undefined);
    if (hasWindows && hasLimit) return { scope, role, principalId, reader, windows, onDemand };
    closed.push(`${reader} on ${scope}`);
    return { scope, role, principalId, reader, windows: [] };
  });
  return { resourceManager, grants: parsed, closed };
}
