import * as azuread from '@pulumi/azuread';
import * as pulumi from '@pulumi/pulumi';
import * as tls from '@pulumi/tls';
import { checkedArguments } from '../azure/arguments';
import type { ArgumentProblem } from '../resource/errors';
import { ownedApplication, type NewApplication } from './ownedApplication';

/** A certificate, which is created once. */
export interface CertificateArgs {
  /** Its name in the stack. */
  readonly name: string;
  /** Validity from its creation, in hours, 1 to 17520. A later change has no effect. */
  readonly validityHours: number;
}

/** Arguments of CertificateIdentity. */
export interface CertificateIdentityArgs extends NewApplication {
  /**
   * Its certificates, at least one. All are accepted; the last one is used to sign in. A renewal adds one at the end and
   * keeps the previous one for clients that do not have the new one yet.
   */
  readonly certificates: CertificateArgs[];
}

/**
 * An Entra application that signs in with a certificate. Its private keys are stored only in the stack's state, encrypted.
 */
export class CertificateIdentity extends pulumi.ComponentResource {
  /** Application (client) id. */
  readonly clientId: pulumi.Output<string>;
  /** Object id of its service principal, to which access is granted. */
  readonly principalId: pulumi.Output<string>;
  /** The newest certificate with its private key (PKCS #8), as PEM. A secret; known once Entra accepts the certificate. */
  readonly certificate: pulumi.Output<string>;
  /** When the newest certificate becomes valid (RFC 3339). */
  readonly notBefore: pulumi.Output<string>;
  /** When the newest certificate expires (RFC 3339). */
  readonly notAfter: pulumi.Output<string>;
  /** Ids in Entra of all its certificates, the newest last. */
  readonly keyIds: pulumi.Output<string[]>;

  constructor(name: string, args: CertificateIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:entra:CertificateIdentity', name, {}, opts);
    args = checkedArguments('CertificateIdentity', name, args, ({ certificates }) =>
      certificateProblems('certificates', certificates),
    );
    const { displayName = name, certificates } = args;
    const { application, principal } = ownedApplication(name, args, this);
    const registered = certificates.map((certificate) =>
      registeredCertificate(
        `${name}/${certificate.name}`,
        displayName,
        certificate.validityHours,
        application,
      ),
    );
    const newest = registered.at(-1);
    if (newest === undefined) throw new Error('unreachable: `certificates` is empty');
    this.clientId = application.clientId;
    this.principalId = principal.objectId;
    this.certificate = newest.certificate;
    this.notBefore = newest.notBefore;
    this.notAfter = newest.notAfter;
    this.keyIds = pulumi.output(registered.map(({ keyId }) => keyId));
    const { clientId, principalId, certificate, notBefore, notAfter, keyIds } = this;
    this.registerOutputs({ clientId, principalId, certificate, notBefore, notAfter, keyIds });
  }
}

/** Returns problems of a list of certificates. */
export function certificateProblems(argument: string, certificates: readonly unknown[]): ArgumentProblem[] {
  return certificates.length > 0
    ? []
    : [
        {
          argument,
          problem: 'is empty',
          allowed: 'at least one; the application signs in with the last',
        },
      ];
}

/** Deploys a certificate that Entra accepts for the application. */
export function registeredCertificate(
  name: string,
  commonName: string,
  validityHours: number,
  parent: azuread.Application,
) {
  // The engine passes `retainOnDelete` on from the application, but a certificate must be deleted.
  const opts = { parent, retainOnDelete: false };
  const certificateOpts = pulumi.mergeOptions(opts, { ignoreChanges: ['validityPeriodHours'] });
  const key = new tls.PrivateKey(name, { algorithm: 'RSA', rsaBits: 2048 }, opts);
  const certificate = new tls.SelfSignedCert(
    name,
    {
      privateKeyPem: key.privateKeyPem,
      subject: { commonName },
      validityPeriodHours: validityHours,
      allowedUses: ['digital_signature'],
    },
    certificateOpts,
  );
  const { keyId } = new azuread.ApplicationCertificate(
    name,
    { applicationId: parent.id, type: 'AsymmetricX509Cert', value: certificate.certPem },
    opts,
  );
  return {
    // Known only once it is registered: anyone who has it can sign in with it.
    certificate: pulumi.secret(
      pulumi
        .all([certificate.certPem, key.privateKeyPemPkcs8, keyId])
        .apply(([cert, privateKey]) => `${cert}${privateKey}`),
    ),
    keyId,
    notBefore: certificate.validityStartTime,
    notAfter: certificate.validityEndTime,
  };
}
