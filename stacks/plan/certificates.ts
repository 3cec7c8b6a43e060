import type { CertificateArgs } from '../../components/entra/certificateIdentity';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** One that is to exist. */
interface CertificatePlan extends CertificateArgs {
  /** The last moment of its validity (RFC 3339). */
  readonly expiresOn: string;
}

/** The certificates, or the passwords, that are valid at one time. */
export interface CertificatesPlan {
  /** Named after the days from which on they are made, and for how long they are valid, the newest last. */
  readonly certificates: readonly CertificatePlan[];
  /** When the next one is to be made (RFC 3339). */
  readonly renewAfter: string;
}

/**
 * The certificates that are to exist at `now`: one for each period, of which the one before stays for `renewBeforeDays`. It
 * depends on the time alone, so that nothing has to be remembered: an update in a new period makes the new certificate, and
 * one after the overlap deletes the old one, which has expired then. So a certificate that is made late in its period is
 * valid for less than `validityDays`.
 */
export function planCertificates(
  { validityDays, renewBeforeDays }: { readonly validityDays: number; readonly renewBeforeDays: number },
  now: Date,
): CertificatesPlan {
  // Settings that leave no time between two certificates are refused elsewhere.
  const period = Math.max(validityDays - renewBeforeDays, 1) * day;
  const start = Math.floor(now.getTime() / period) * period;
  const left = (one: number) => one + validityDays * day - now.getTime();
  // Days of overlap may be more than a period.
  const starts: number[] = [];
  for (let one = start; left(one) > 0; one -= period) starts.unshift(one);
  return {
    certificates: starts.map((one) => ({
      name: `${new Date(one).toISOString().slice(0, 10)}-${validityDays}d`,
      validityHours: Math.ceil(left(one) / hour),
      // In whole seconds, as Entra has it.
      expiresOn: new Date(one + validityDays * day).toISOString().replace('.000Z', 'Z'),
    })),
    renewAfter: new Date(start + period).toISOString(),
  };
}
