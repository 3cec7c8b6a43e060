interface Check {
  readonly cluster?: string;
  readonly application: string;
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Lines of checks: those that pass, each finding once with all its places, and then those that fail. */
export function shownChecks(checks: readonly Check[]): string[] {
  const passed = new Map<string, string[]>();
  for (const check of checks.filter(({ ok }) => ok)) {
    const finding = `${check.check}: ${check.detail}`;
    passed.set(finding, [...(passed.get(finding) ?? []), placeOf(check)]);
  }
  return [
    ...[...passed].map(([finding, places]) => `ok ${places.join(', ')}: ${finding}`),
    ...shownFailures(checks),
  ];
}

/** Lines of checks; where one fails, those that pass are only counted. */
export const shownVerdict = (checks: readonly Check[]) => {
  const failures = shownFailures(checks);
  return failures.length === 0 ? shownChecks(checks) : [`${checks.length - failures.length} ok`, ...failures];
};

export const shownFailures = (checks: readonly Check[]) =>
  checks.filter(({ ok }) => !ok).map((check) => `FAILED ${placeOf(check)}: ${check.check}: ${check.detail}`);

export const shownUnlisted = (unlisted: readonly { name: string; reason: string }[]) =>
  unlisted.map(({ name, reason }) => `not listed: ${name}: ${reason}`);

const placeOf = ({ cluster, application }: Check) =>
  cluster === undefined ? application : `${cluster}/${application}`;
