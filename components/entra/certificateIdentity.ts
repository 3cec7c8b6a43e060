import * as azuread from '@pulumi/azuread';
import * as pulumi from '@pulumi/pulumi';
import * as tls from '@pulumi/tls';
import { checkedArguments } from '../azure/arguments';
import { retention } from '../resource/newResource';

/** Arguments of CertificateIdentity. */
export interface CertificateIdentityArgs {
  /** Display name in Entra, where it must be the only one. Default: the component's name. */
  readonly displayName?: string;
  /**
   * Names of its certificates: each is made once and is valid for `validityDays` from then on. All of them are accepted; the
   * last one is the one to sign in with. A renewal adds a name at the end and keeps the one before, for who has not seen
   * the new certificate yet.
   */
  readonly certificates: string[];
  /** Days, 1 to 730, for which each certificate is valid. */
  readonly validityDays: number;
  /** Tags in Entra, which are texts without a value. Default: no tags. */
  readonly tags?: string[];
  /** The identity stays in Entra when it leaves the program; its certificates do not. Default: true. */
  readonly retainOnDelete?: boolean;
}

/** An Entra application that signs in by certificate. Its private keys are nowhere but in its state, encrypted. */
export class CertificateIdentity extends pulumi.ComponentResource {
  /** Application (client) id. */
  readonly clientId: pulumi.Output<string>;
  /** Object id of its service principal: what is granted access. */
  readonly principalId: pulumi.Output<string>;
  /** The newest certificate with its private key (PKCS #8), as PEM. A secret; known once Entra accepts the certificate. */
  readonly certificate: pulumi.Output<string>;
  /** When the newest certificate becomes valid (RFC 3339). */
  readonly notBefore: pulumi.Output<string>;
  /** When it expires (RFC 3339). */
  readonly notAfter: pulumi.Output<string>;

  constructor(name: string, args: CertificateIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:entra:CertificateIdentity', name, {}, opts);
    args = checkedArguments('CertificateIdentity', name, args);
    const { displayName = name, tags, certificates } = args;
    const application = new azuread.Application(
      name,
      // Entra allows two applications of one name, which nobody could tell apart.
      { displayName, signInAudience: 'AzureADMyOrg', preventDuplicateNames: true, tags },
      { parent: this, ...retention(args) },
    );
    const principal = new azuread.ServicePrincipal(
      name,
      { clientId: application.clientId, tags },
      { parent: this, ...retention(args) },
    );
    const [newest] = certificates
      .map((one) => registeredCertificate(`${name}/${one}`, displayName, args.validityDays, application))
      .slice(-1);
    if (newest === undefined) throw new Error('The arguments were checked: there is a certificate.');
    this.clientId = application.clientId;
    this.principalId = principal.objectId;
    this.certificate = newest.certificate;
    this.notBefore = newest.notBefore;
    this.notAfter = newest.notAfter;
    const { clientId, principalId, certificate, notBefore, notAfter } = this;
    this.registerOutputs({ clientId, principalId, certificate, notBefore, notAfter });
  }
}

/** A certificate that Entra accepts for the application. */
function registeredCertificate(
  name: string,
  commonName: string,
  validityDays: number,
  parent: azuread.Application,
) {
  // The engine hands `retainOnDelete` down from the application; a certificate is to go.
  const opts = { parent, retainOnDelete: false };
  const key = new tls.PrivateKey(name, { algorithm: 'RSA', rsaBits: 2048 }, opts);
  const certificate = new tls.SelfSignedCert(
    name,
    {
      privateKeyPem: key.privateKeyPem,
      subject: { commonName },
      validityPeriodHours: validityDays * 24,
      allowedUses: ['digital_signature'],
    },
    opts,
  );
  const { keyId } = new azuread.ApplicationCertificate(
    name,
    { applicationId: parent.id, type: 'AsymmetricX509Cert', value: certificate.certPem },
    opts,
  );
  return {
    // Not before it is registered: what has it can sign in with it.
    certificate: pulumi.secret(
      pulumi
        .all([certificate.certPem, key.privateKeyPemPkcs8, keyId])
        .apply(([cert, privateKey]) => `${cert}${privateKey}`),
    ),
    notBefore: certificate.validityStartTime,
    notAfter: certificate.validityEndTime,
  };
}
