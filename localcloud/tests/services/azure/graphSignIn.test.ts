import { randomUUID } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import { clusterWithIssuer, groupId, refusal, withCloud } from '../../support/azure';
import type { TestCertificate } from '../../support/certificates';
import { selfSigned } from '../../support/certificates';
import type { Entity } from '../../support/directory';
import { directory } from '../../support/directory';

const SCOPE = 'https://management.azure.com/.default';
const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
const SUBJECT = 'system:serviceaccount:orders:orders';
const HOUR = 60 * 60 * 1000;
const FIVE_MINUTES = 5 * 60 * 1000;

const key = ({ der }: TestCertificate, more: object = {}) => ({
  type: 'AsymmetricX509Cert',
  usage: 'Verify',
  key: der,
  ...more,
});

describe('sign-in of applications made with @microsoft/microsoft-graph-client, through @azure/identity', () => {
  const cloud = withCloud();
  const graph = directory(cloud);

  const last = () => cloud.azure.control.audit().at(-1);
  const keysOf = async ({ id }: Entity) =>
    (await graph.get(`/applications/${id}`))['keyCredentials'] as { keyId: string }[];
  const signIn = ({ appId }: Entity, { bundle }: TestCertificate) =>
    cloud.certificateCredential(appId, bundle).getToken(SCOPE);

  it('issues a token for each of several key credentials, and no more for one that was removed', async () => {
    const [first, second] = [await selfSigned(), await selfSigned()];
    const app = await graph.application('two-certificates');
    const { id: objectId } = await graph.principal(app);
    const keyId = randomUUID();
    await graph.setKeys(app, key(first, { keyId }), key(second));

    expect((await signIn(app, second)).token).toMatch(/^ey/);
    expect((await signIn(app, first)).token).toMatch(/^ey/);
    expect(last()).toMatchObject({
      clientId: app.appId,
      objectId,
      displayName: 'two-certificates',
      grant: 'certificate',
      credential: keyId,
      outcome: 'issued',
    });

    await graph.setKeys(app, ...(await keysOf(app)).filter((held) => held.keyId !== keyId));
    expect((await refusal(signIn(app, first))).message).toContain('AADSTS700027:');
    expect(last()).toMatchObject({ grant: 'certificate', outcome: 'refused', error: 700027 });
    expect((await signIn(app, second)).token).toMatch(/^ey/);
  });

  it('refuses a key credential before its start', async () => {
    const certificate = await selfSigned();
    const app = await graph.application('too-early');
    await graph.principal(app);
    const startDateTime = new Date(Date.now() + HOUR).toISOString();
    await graph.setKeys(app, key(certificate, { startDateTime }));
    expect((await refusal(signIn(app, certificate))).message).toMatch(
      /AADSTS700027: .* not yet valid on application/,
    );

    // The same certificate in another credential, whose time has come.
    await graph.setKeys(app, ...(await keysOf(app)), key(certificate));
    expect((await signIn(app, certificate)).token).toMatch(/^ey/);
  });

  it('issues a token for a secret of an application, until it is removed', async () => {
    const app = await graph.application('secret');
    await graph.principal(app);
    const { keyId, secretText } = await graph.secret(app);
    const credential = () => cloud.secretCredential(app.appId, secretText);
    expect((await credential().getToken(SCOPE)).token).toMatch(/^ey/);
    expect(last()).toMatchObject({ grant: 'secret', credential: keyId, displayName: 'secret' });

    await graph.post(`/applications/${app.id}/removePassword`, { keyId });
    expect((await refusal(credential().getToken(SCOPE))).message).toContain('AADSTS7000215:');
  });

  it('refuses an application without a service principal, a disabled one and a deleted one', async () => {
    const app = await graph.application('states');
    const { secretText } = await graph.secret(app);
    const attempt = () => refusal(cloud.secretCredential(app.appId, secretText).getToken(SCOPE));
    expect((await attempt()).message).toContain(
      `AADSTS7000229: The client application ${app.appId} is missing service principal in the tenant ${cloud.tenantId}.`,
    );

    const { id } = await graph.principal(app);
    await graph.patch(`/servicePrincipals/${id}`, { accountEnabled: false });
    expect((await attempt()).message).toContain(
      `AADSTS7000112: Application '${app.appId}'(states) is disabled.`,
    );
    expect(last()).toMatchObject({ objectId: id, outcome: 'refused', error: 7000112 });

    await graph.patch(`/servicePrincipals/${id}`, { accountEnabled: true });
    await cloud.secretCredential(app.appId, secretText).getToken(SCOPE);
    await graph.remove(`/applications/${app.id}`);
    expect((await attempt()).message).toContain('AADSTS700016:');
  });

  it('lets a role of a service principal take effect, and leaves its assignment when it is deleted', async () => {
    const app = await graph.application('reader');
    const { id: principalId } = await graph.principal(app);
    const { secretText } = await graph.secret(app);
    const theirs: TokenCredential = cloud.secretCredential(app.appId, secretText);
    const read = () => cloud.resources(theirs).resourceGroups.get('rg');
    expect(await refusal(read())).toMatchObject({ status: 403, code: 'AuthorizationFailed' });

    const { roleAssignments } = cloud.authorization();
    const roleDefinitionId = `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${READER}`;
    const { name = '' } = await roleAssignments.create(groupId('rg'), randomUUID(), {
      principalId,
      roleDefinitionId,
    });
    expect(await read()).toMatchObject({ name: 'rg' });

    await graph.remove(`/servicePrincipals/${principalId}`);
    expect(await roleAssignments.get(groupId('rg'), name)).toMatchObject({ principalId });
    const other = { principalId, roleDefinitionId: roleDefinitionId.replace(READER, CONTRIBUTOR) };
    expect(await refusal(roleAssignments.create(groupId('rg'), randomUUID(), other))).toMatchObject({
      status: 400,
      code: 'PrincipalNotFound',
    });
  });
});

describe('sign-in of applications over time, through @azure/identity', () => {
  const cloud = withCloud({ fresh: true });
  const graph = directory(cloud);

  it('exchanges a service account token for a token of an application, once its credential has propagated', async () => {
    const { managedClusters } = cloud.clusters();
    const created = await managedClusters.createOrUpdate('rg', 'aks-1', clusterWithIssuer());
    const issuer = created.oidcIssuerProfile?.issuerURL ?? '';
    const app = await graph.application('federated');
    const { id: objectId } = await graph.principal(app);
    const audience = 'openshift';
    const exchange = (subject = SUBJECT) =>
      cloud
        .assertionCredential(app.appId, () =>
          cloud.runtime.token({ issuer, subject, audience, lifetime: 10 * 3600 }),
        )
        .getToken(SCOPE);
    expect((await refusal(exchange())).message).toContain('AADSTS70021:');

    cloud.azure.control.faults.federatedCredentialPropagation = FIVE_MINUTES;
    const credential = { name: 'orders', issuer, subject: SUBJECT, audiences: [audience] };
    const { id } = await graph.post(`/applications/${app.id}/federatedIdentityCredentials`, credential);
    expect((await refusal(exchange())).message).toContain('AADSTS70021:');
    cloud.azure.control.clock.advance(FIVE_MINUTES);
    expect((await exchange()).token).toMatch(/^ey/);
    expect(cloud.azure.control.audit().at(-1)).toMatchObject({
      clientId: app.appId,
      objectId,
      grant: 'federated',
      credential: 'orders',
      displayName: 'federated',
    });
    expect((await refusal(exchange('system:serviceaccount:orders:other'))).message).toContain(
      'AADSTS700213:',
    );

    await graph.remove(`/applications/${app.id}/federatedIdentityCredentials/${id}`);
    expect((await refusal(exchange())).message).toContain('AADSTS70021:');
  });

  it('refuses a key credential from its end on', async () => {
    const certificate = await selfSigned();
    const app = await graph.application('too-late');
    await graph.principal(app);
    const endDateTime = new Date(Date.now() + HOUR).toISOString();
    await graph.setKeys(app, key(certificate, { endDateTime }));
    const signIn = () => cloud.certificateCredential(app.appId, certificate.bundle).getToken(SCOPE);
    expect((await signIn()).token).toMatch(/^ey/);

    cloud.azure.control.clock.advance(HOUR);
    expect((await refusal(signIn())).message).toMatch(
      /AADSTS700027: .* is expired on application\. \[Reason - The key used is expired\., Thumbprint of key used by client: '[^']+', Found key 'Start=\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d, End=/,
    );
  });

  it('keeps applications and their credentials over a restart', async () => {
    const app = await graph.application('kept');
    await graph.principal(app);
    const { secretText } = await graph.secret(app);
    await cloud.restart();
    expect((await cloud.secretCredential(app.appId, secretText).getToken(SCOPE)).token).toMatch(/^ey/);
  });
});
