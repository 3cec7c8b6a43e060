import { secretRecovery } from './removal';
import type { Attempt } from './attempt';
import type { Session } from './access';
import { accountName } from './checks';
import type { SecretRef, ServiceAccountRef, WorkloadOutput } from './checks';
import type { Failure } from './failure';
import type { Outcome } from './results';

// Results of attempts in words.

export function exchanged(
  { identity }: WorkloadOutput,
  account: ServiceAccountRef,
  { failure, waited }: Attempt<Session>,
): Outcome {
  if (failure !== undefined) return { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
  return { ok: true, detail: `${accountName(account)} → ${identity.name}${after(waited)}` };
}

export function signedIn(
  { identity, credentialSecret = '' }: WorkloadOutput,
  { failure, waited }: Attempt<Session>,
): Outcome {
  if (failure !== undefined) return { ok: false, detail: `${failure.text}${gaveUp(waited)}` };
  return { ok: true, detail: `secret ${credentialSecret} → ${identity.name}${after(waited)}` };
}

export function unreadableDetail({ vault, secret }: SecretRef, { kind, text }: Failure): string {
  if (kind === 'forbidden')
    return `${secret} is granted, but the vault refuses it: ${text}; the grant is missing or not propagated yet`;
  // A deleted secret keeps its name: an update cannot create it again (409 Conflict).
  return kind === 'notFound' ? `${text}; if it was deleted: ${secretRecovery(vault, secret)}` : text;
}

export function outcomeOf({ value, failure, waited }: Attempt<Outcome>): Outcome {
  if (failure === undefined) return value;
  const hint = failure.kind === 'notFound' ? '; `pulumi up --refresh` restores it' : '';
  return { ok: false, detail: `${failure.text}${hint}${gaveUp(waited)}` };
}

/** Returns the waiting time if there was any. */
export function after(waited: number): string {
  return waited >= 2000 ? ` after ${Math.round(waited / 1000)} s` : '';
}

export function gaveUp(waited: number): string {
  return waited >= 1000 ? `; gave up after ${Math.round(waited / 1000)} s` : '';
}
