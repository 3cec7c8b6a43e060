import { isDate, isTimeZone, weekdays, type AccessWindow } from '../components/access/calendar';
import { durationOf } from '../components/access/onDemand';
import type { Schedule, WindowedGrant } from '../components/access/schedule';

type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isOneOf = (allowed: (text: string) => boolean) => (value: unknown) =>
  value === undefined || (isText(value) && allowed(value));
const isTime = isOneOf((text) => /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text));

/** Every field of a window, and what its value may be. */
const fieldsOfWindow: Readonly<Record<keyof AccessWindow, (value: unknown) => boolean>> = {
  days: (value) =>
    value === undefined || (Array.isArray(value) && value.every((one) => weekdays.includes(one as string))),
  from: isTime,
  to: isTime,
  timeZone: (value) => isText(value) && isTimeZone(value),
  validFrom: isOneOf(isDate),
  validUntil: isOneOf(isDate),
};

/** Whether it is a window of which every field is understood: one that is not could be open longer than it says. */
function isWindow(value: unknown): value is AccessWindow {
  const fields = (value ?? {}) as Fields;
  return (
    Object.keys(fields).every((key) => Object.hasOwn(fieldsOfWindow, key)) &&
    Object.entries(fieldsOfWindow).every(([key, isAllowed]) => isAllowed(fields[key]))
  );
}

/**
 * Reads the schedule. A grant whose windows cannot be read has none, and is in `closed`.
 * @throws if not even the grants can be read
 */
export function parseSchedule(text: string): Schedule & { readonly closed: readonly string[] } {
  const { resourceManager, grants } = (JSON.parse(text) ?? {}) as Fields;
  if (!isText(resourceManager) || !Array.isArray(grants))
    throw new Error('the schedule has no `resourceManager` or no `grants`');
  const closed: string[] = [];
  const read = grants.map((given: unknown): WindowedGrant => {
    const { scope, role, principalId, reader, windows, onDemand } = (given ?? {}) as Fields;
    if (!isText(scope) || !isText(role) || !isText(principalId) || !isText(reader))
      throw new Error('a grant of the schedule has no `scope`, no `role`, no `principalId` or no `reader`');
    const isKnown = Array.isArray(windows) && windows.every(isWindow);
    const isLimit = onDemand === undefined || (isText(onDemand) && durationOf(onDemand) !== undefined);
    if (isKnown && isLimit) return { scope, role, principalId, reader, windows, onDemand };
    closed.push(`${reader} on ${scope}`);
    return { scope, role, principalId, reader, windows: [] };
  });
  return { resourceManager, grants: read, closed };
}
