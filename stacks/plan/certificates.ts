import type { CertificateArgs } from '../../components/entra/certificateIdentity';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** A certificate or password that is to exist. */
interface CertificatePlan extends CertificateArgs {
  /** End of its validity (RFC 3339). */
  readonly expiresOn: string;
}

/** The certificates or passwords that are valid at the same time. */
export interface CertificatesPlan {
  /** The newest is last. Each name consists of the start date and the validity in days. */
  readonly certificates: readonly CertificatePlan[];
  /** When the next one is due (RFC 3339). */
  readonly renewAfter: string;
}

/**
 * Returns the certificates that are to exist at `now`: one for each period; the previous one stays for `renewBeforeDays`. They
 * depend on the time alone, so no state is needed. An update in a new period creates the new certificate. An update after the
 * overlap deletes the old one, which has expired by then. Therefore, a certificate that is created late in its period is valid
 * for less than `validityDays`.
 */
export function planCertificates(
  { validityDays, renewBeforeDays }: { readonly validityDays: number; readonly renewBeforeDays: number },
  now: Date,
): CertificatesPlan {
  // Settings that leave no time between two certificates are refused elsewhere.
  const period = Math.max(validityDays - renewBeforeDays, 1) * day;
  const start = Math.floor(now.getTime() / period) * period;
  const left = (from: number) => from + validityDays * day - now.getTime();
  // The overlap may be longer than a period.
  const starts: number[] = [];
  for (let from = start; left(from) > 0; from -= period) starts.unshift(from);
  return {
    certificates: starts.map((from) => ({
      name: `${new Date(from).toISOString().slice(0, 10)}-${validityDays}d`,
      validityHours: Math.ceil(left(from) / hour),
      // In whole seconds, as Entra returns it.
      expiresOn: new Date(from + validityDays * day).toISOString().replace('.000Z', 'Z'),
    })),
    renewAfter: new Date(start + period).toISOString(),
  };
}
