const day = 24 * 60 * 60 * 1000;

/** The certificates that are valid at one time. */
export interface CertificatesPlan {
  /** Named after the days on which they are first made, the newest last. */
  readonly names: readonly string[];
  readonly validityDays: number;
  /** When the next one is to be made (RFC 3339). */
  readonly renewAfter: string;
}

/**
 * The certificates that are to exist at `now`: one for each period, of which the one before stays for `renewBeforeDays`. It
 * depends on the time alone, so that nothing has to be remembered: an update in a new period makes the new certificate, and
 * one after the overlap deletes the old one.
 */
export function planCertificates(
  { validityDays, renewBeforeDays }: { readonly validityDays: number; readonly renewBeforeDays: number },
  now: Date,
): CertificatesPlan {
  // Settings that leave no time between two certificates are refused elsewhere.
  const period = Math.max(validityDays - renewBeforeDays, 1) * day;
  const start = Math.floor(now.getTime() / period) * period;
  // Days of overlap may be more than a period.
  const starts: number[] = [];
  for (let one = start; one + validityDays * day > now.getTime(); one -= period) starts.unshift(one);
  return {
    names: starts.map((one) => new Date(one).toISOString().slice(0, 10)),
    validityDays,
    renewAfter: new Date(start + period).toISOString(),
  };
}
