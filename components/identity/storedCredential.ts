import type * as pulumi from '@pulumi/pulumi';

/** A stored credential, used instead of federation: `certificate` or `password`. */
export interface StoredCredential {
  /** The certificate with its private key, as PEM. */
  readonly certificate?: pulumi.Input<string>;
  /** The password. */
  readonly password?: pulumi.Input<string>;
  /** Its name, the last part of the Kubernetes secret's name. A renewed credential has another name. */
  readonly name: string;
  /** Its id in Entra. Another id replaces the pods, because they read the credential only when they start. */
  readonly keyId: pulumi.Input<string>;
  /** Address of Entra, such as `https://login.microsoftonline.us/`. Default: the public cloud's. */
  readonly authority?: string;
}

/** Returns the annotation of pods that makes a changed credential replace them. */
export function keyAnnotation(
  credential: StoredCredential | undefined,
): Record<string, pulumi.Input<string>> {
  return credential === undefined ? {} : { 'aks-workload-identity/credential': credential.keyId };
}
