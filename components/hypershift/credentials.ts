import * as pulumi from '@pulumi/pulumi';
import type { CertificateIdentity } from '../entra/certificateIdentity';
import type { HostedClusterCertificates } from './arguments';

/**
 * Returns credentials in the form `UserAssignedIdentityCredentials` (Azure/msi-dataplane pkg/dataplane), which HyperShift's
 * components read from the file that is mounted for them. A secret.
 */
export function credentialsOf(
  { clientId, certificate, notBefore, notAfter }: CertificateIdentity,
  { vault, renewAfter, encoding = 'utf-8', authority = publicAuthority }: HostedClusterCertificates,
): pulumi.Output<string> {
  const text = pulumi
    .all([clientId, certificate, vault.tenantId, notBefore, notAfter])
    .apply(([client, pem, tenant, from, until]) =>
      encoded(
        JSON.stringify({
          authentication_endpoint: authority,
          client_id: client,
          client_secret: Buffer.from(pem).toString('base64'),
          tenant_id: tenant,
          not_before: from,
          not_after: until,
          renew_after: renewAfter,
          cannot_renew_after: until,
        }),
        encoding,
      ),
    );
  return pulumi.secret(text);
}

/** Address of Entra in the public cloud. */
const publicAuthority = 'https://login.microsoftonline.com/';

function encoded(text: string, encoding: NonNullable<HostedClusterCertificates['encoding']>): string {
  return encoding === 'utf-8' ? text : Buffer.from(text).toString(encoding);
}
