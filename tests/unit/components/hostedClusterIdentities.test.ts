import { builtInRoles, roleName } from '../../../components/azure/roles';
import type { HostedClusterIdentitiesArgs } from '../../../components/hypershift/arguments';
import { hostedClusterComponents } from '../../../components/hypershift/components';
import { HostedClusterIdentities } from '../../../components/hypershift/hostedClusterIdentities';
import { BUILT_IN_ROLES } from '../../../localcloud/azure/identity/roles';
import { guidOf, ids } from './support/azure';
import { least } from './support/least';
import { record, valueOf } from './support/recorder';

// What the identities of a hosted cluster tell, as msi-dataplane and HyperShift read it. What they register is in the goldens.
// What mocks do not prove: that Entra accepts the certificates, and that the roles suffice.

const certificates = {
  certificates: ['2026-08-01', '2026-11-01'].map((name) => ({ name, validityHours: 2160 })),
  renewAfter: '2027-01-01T00:00:00.000Z',
  vault: { name: 'kv-dev', tenantId: ids.tenant },
};
const reported = async (more: object) => {
  const args = { ...least.HostedClusterIdentities, certificates: { ...certificates, ...more } };
  const { result } = await record(
    () => new HostedClusterIdentities('hc1', args as unknown as HostedClusterIdentitiesArgs),
  );
  return (await valueOf(result.credentials))['azure-disk-hc1-json'] ?? '';
};

describe('credentials', () => {
  it('have the newest certificate, as msi-dataplane reads it', async () => {
    expect(JSON.parse(await reported({}))).toEqual({
      authentication_endpoint: 'https://login.microsoftonline.com/',
      client_id: guidOf('client-hc1-azure-disk'),
      client_secret: Buffer.from('certificate hc1/disk/2026-11-01\nkey of hc1/disk/2026-11-01\n').toString(
        'base64',
      ),
      tenant_id: ids.tenant,
      not_before: '2026-11-01T08:00:00Z',
      not_after: '2027-01-30T08:00:00Z',
      renew_after: '2027-01-01T00:00:00.000Z',
      cannot_renew_after: '2027-01-30T08:00:00Z',
    });
  });

  it.each(['hex', 'base64'] as const)('are in %s', async (encoding) => {
    expect(Buffer.from(await reported({ encoding }), encoding).toString()).toBe(await reported({}));
  });
});

it('roles have the names that they have in Azure', () => {
  const azure = new Map(BUILT_IN_ROLES.map(({ name, roleName }) => [name, roleName]));

  for (const { role } of Object.values(hostedClusterComponents))
    expect([role, roleName(builtInRoles[role])]).toEqual([role, azure.get(builtInRoles[role])]);
});
