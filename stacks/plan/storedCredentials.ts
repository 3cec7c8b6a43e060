import type { ApplicationSettings, ClusterSettings, StackSettings } from '../settings/schema';
import { planCertificates, type CertificatesPlan } from './certificates';

/** Identity settings of an application or of a service operator. */
export type IdentitySettings = ApplicationSettings['identity'] | ClusterSettings['operatorIdentity'];

type StoredCredential = Extract<IdentitySettings, { servicePrincipal: unknown }>['servicePrincipal'];

/** The stored credential of an application in Entra that does not sign in with federation. */
export interface StoredCredentialPlan extends CertificatesPlan {
  readonly kind: StoredCredential['credential'];
  /** Name of the secret in the central vault that holds it. */
  readonly secret: string;
}

/** Tells whether the identity is an application in Entra. */
export function isServicePrincipal(identity: IdentitySettings): boolean {
  return identity === 'servicePrincipal' || storedCredentialOf(identity) !== undefined;
}

/** Returns the settings of the stored credential of an identity, if it has one. */
export function storedCredentialOf(identity: IdentitySettings): StoredCredential | undefined {
  return typeof identity === 'object' && 'servicePrincipal' in identity
    ? identity.servicePrincipal
    : undefined;
}

/** @param key key of the identity */
export function planStoredCredential(
  key: string,
  identity: IdentitySettings,
  now: Date,
): StoredCredentialPlan | undefined {
  const stored = storedCredentialOf(identity);
  if (stored === undefined) return undefined;
  return { ...planCertificates(stored, now), kind: stored.credential, secret: `${key}-${stored.credential}` };
}

/** Tells whether the central vault stores the credential of any identity. */
export function storesCredentials({
  applications,
  clusters,
  serviceOperator,
}: Pick<StackSettings, 'applications' | 'clusters' | 'serviceOperator'>): boolean {
  return (
    applications.some(({ identity }) => storedCredentialOf(identity) !== undefined) ||
    (serviceOperator.install &&
      clusters.some(({ operatorIdentity }) => storedCredentialOf(operatorIdentity) !== undefined))
  );
}
