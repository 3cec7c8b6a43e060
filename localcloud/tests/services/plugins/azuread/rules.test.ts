import { randomUUID, X509Certificate } from 'node:crypto';
import { ADMINISTRATOR_OBJECT_ID } from '../../../../identity';
import { containsSecret, reveal, type Properties } from '../../../../plugins/protocol';
import { textAt } from '../../../../plugins/resources/propertyPath';
import { types } from '../../../../plugins/azuread/types';
import { refusal } from '../../../support/azure';
import { selfSigned, type TestCertificate } from '../../../support/certificates';
import { partialFailure } from '../../../support/plugins/partialFailure';
import { withGraphPlugin, type Made } from './graphPlugin';

// Proves the rules of the official provider on the local Microsoft Graph: what it waits for, refuses, adopts and
// sends one after the other, and that what it registers signs in.
const graph = withGraphPlugin();
let pair: TestCertificate[];
beforeAll(async () => (pair = [await selfSigned(), await selfSigned()]));

describe('an application', () => {
  it('has no owner by default, and otherwise those of the program', async () => {
    const principal = graph.cloud.principal('owner');
    const { id, state, inputs } = await graph.application({ owners: [principal.objectId] });
    expect(state['owners']).toEqual([principal.objectId]);
    const updated = await graph.process.update(types.application, id, state, inputs, {
      ...inputs,
      owners: [],
    });
    expect(updated['owners'] ?? []).toEqual([]);
    expect((await graph.application()).state['owners'] ?? []).toEqual([]);
  });

  it('refuses a name that exists only if asked, in previews too', async () => {
    const { inputs, id } = await graph.application();
    await graph.application(inputs);
    const withCheck = { ...inputs, preventDuplicateNames: true };
    await expect(graph.process.create(types.application, withCheck)).rejects.toThrow(
      new RegExp(`exists, and preventDuplicateNames is set: import '.*', or choose another name`),
    );
    await expect(graph.process.create(types.application, withCheck, true)).rejects.toThrow(
      /preventDuplicateNames/,
    );
    expect(id).not.toBe('');
  });

  it('waits until the directory shows it', async () => {
    graph.cloud.azure.control.faults.add({
      method: 'PATCH',
      url: /\/applications\//,
      reply: { status: 404, code: 'Request_ResourceNotFound', message: 'not yet' },
      times: 2,
    });
    expect((await graph.application()).id).toMatch(/^\/applications\//);
  });

  it('is recorded if what follows its creation fails', async () => {
    graph.cloud.azure.control.faults.add({
      method: 'DELETE',
      url: /\/owners\//,
      reply: { status: 403, code: 'Authorization_RequestDenied', message: 'refused by the test' },
    });
    const { message, error } = await refusal(
      graph.process.create(types.application, { displayName: 'half' }),
    );
    expect(message).toContain('Authorization_RequestDenied: refused by the test (DELETE /applications/');
    const recorded = partialFailure(error);
    expect(recorded?.id).toMatch(/^\/applications\//);
    expect(recorded?.state).toMatchObject({ displayName: 'half' });
  });

  it('shows what was changed outside the program', async () => {
    const { id, state, inputs } = await graph.application({ description: 'one' });
    await graph.cloud.graph().api(id).patch({ description: 'changed' });
    const read = await graph.process.read(types.application, id, state, inputs);
    expect(read?.inputs).toEqual({ ...inputs, description: 'changed' });
    const diff = await graph.process.diff(
      types.application,
      id,
      read?.state ?? {},
      read?.inputs ?? {},
      inputs,
    );
    expect(diff.diffsList).toEqual(['description']);
  });
});

describe('a service principal', () => {
  it('that exists is refused with the hint, or adopted', async () => {
    const app = await graph.application();
    const clientId = textAt(app.state, 'clientId');
    const first = await graph.make(types.servicePrincipal, { clientId });
    const { message } = await refusal(graph.process.create(types.servicePrincipal, { clientId }));
    expect(message).toContain(`cannot create already existing resource '${first.id}'`);
    expect(message).toContain('import it, or set useExisting');
    const { objectId } = graph.cloud.principal('owner of what exists');
    await graph.process.update(types.servicePrincipal, first.id, first.state, first.inputs, {
      clientId,
      owners: [objectId],
    });
    const adopted = await graph.make(types.servicePrincipal, { clientId, useExisting: true, notes: 'mine' });
    expect(adopted).toMatchObject({
      id: first.id,
      state: { notes: 'mine', useExisting: true, owners: [objectId] },
    });
  });

  it('waits for its application', async () => {
    const clientId = textAt((await graph.application()).state, 'clientId');
    graph.cloud.azure.control.faults.add({
      method: 'POST',
      url: /\/servicePrincipals$/,
      reply: {
        status: 400,
        code: 'Request_BadRequest',
        message: `The appId '${clientId}' of the service principal does not reference a valid application object.`,
      },
      times: 1,
    });
    expect((await graph.make(types.servicePrincipal, { clientId })).state).toMatchObject({
      type: 'Application',
    });
  });
});

describe('certificates', () => {
  const certificate = (applicationId: string, value: string, more: Properties = {}): Promise<Made> =>
    graph.make(types.certificate, { applicationId, type: 'AsymmetricX509Cert', value, ...more });

  async function keys(applicationId: string): Promise<{ keyId: string; key: string }[]> {
    const { keyCredentials } = (await graph.cloud
      .graph()
      .api(applicationId)
      .select('keyCredentials')
      .get()) as {
      keyCredentials: { keyId: string; key: string }[];
    };
    return keyCredentials;
  }

  it.each(['pem', 'base64', 'hex'])('are sent in the encoding %s', async (encoding) => {
    const { certificate: pem = '', der = '' } = pair[0] ?? {};
    const hex = Buffer.from(der, 'base64').toString('hex');
    const value = { pem, base64: der, hex }[encoding] ?? '';
    const { id } = await graph.application();
    const created = await certificate(id, value, { encoding });
    expect(
      (await keys(id)).map(({ key }) => new X509Certificate(Buffer.from(key, 'base64')).fingerprint),
    ).toEqual([new X509Certificate(pem).fingerprint]);
    expect(containsSecret(created.state['value'])).toBe(true);
    expect(reveal(created.state['value'] ?? '')).toBe(value);
  });

  it('of one application written at the same time are all there', async () => {
    const { id } = await graph.application();
    const created = await Promise.all(
      Array.from({ length: 5 }, (_, index) => certificate(id, pair[index % 2]?.certificate ?? '')),
    );
    const ids = (await keys(id)).map(({ keyId }) => keyId);
    expect(ids.sort()).toEqual(created.map(({ state }) => textAt(state, 'keyId')).sort());
    await Promise.all(
      created
        .slice(1)
        .map((credential) => graph.process.delete(types.certificate, credential.id, credential.state)),
    );
    expect((await keys(id)).map(({ keyId }) => keyId)).toEqual([textAt(created[0]?.state ?? {}, 'keyId')]);
  });

  it('have the key id, the times and the relative end that are asked for', async () => {
    const { id } = await graph.application();
    const keyId = randomUUID();
    const [startDate, endDate] = ['2026-01-01T00:00:00Z', new Date(Date.now() + 3_600_000).toISOString()];
    const whole = endDate.replace(/\.\d+/, '');
    const created = await certificate(id, pair[0]?.certificate ?? '', { keyId, startDate, endDate });
    expect(created.id.endsWith(`/certificate/${keyId}`)).toBe(true);
    expect(created.state).toMatchObject({ keyId, startDate, endDate: whole });

    // A time with a fraction never is what Graph returns, so it replaces the certificate each time.
    const diff = await graph.process.diff(
      types.certificate,
      created.id,
      created.state,
      created.inputs,
      created.inputs,
    );
    expect(diff.replacesList).toEqual(['endDate']);

    const relative = await certificate(id, pair[1]?.certificate ?? '', { endDateRelative: '1h30m' });
    const left = Date.parse(textAt(relative.state, 'endDate')) - Date.now();
    expect(left).toBeGreaterThan(80 * 60_000);
    expect(left).toBeLessThanOrEqual(90 * 60_000);
    const read = await graph.process.read(types.certificate, relative.id, relative.state, relative.inputs);
    expect(read?.state).toEqual(relative.state);
  });

  it('that exist are refused with the hint', async () => {
    const { id } = await graph.application();
    const { inputs, state } = await certificate(id, pair[0]?.certificate ?? '');
    const again = { ...inputs, keyId: textAt(state, 'keyId') };
    const { message } = await refusal(graph.process.create(types.certificate, again));
    expect(message).toMatch(
      /cannot create already existing resource '.*': import it, or choose another keyId/,
    );
  });

  it('cannot be read without their application, as with the official provider', async () => {
    const app = await graph.application();
    const { id, state, inputs } = await certificate(app.id, pair[0]?.certificate ?? '');
    await graph.process.delete(types.application, app.id, app.state);
    await expect(graph.process.read(types.certificate, id, state, inputs)).rejects.toThrow(
      /Request_ResourceNotFound/,
    );
  });

  it('shows Graph’s own words when Graph refuses', async () => {
    const { id } = await graph.application();
    const expired = await selfSigned({ notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-01') });
    const inputs = { applicationId: id, type: 'AsymmetricX509Cert', value: expired.certificate };
    await expect(graph.process.create(types.certificate, inputs)).rejects.toThrow(
      /KeyCredentialsInvalidEndDate: .*\(PATCH \/applications\/.*status 400\)/,
    );
  });
});

describe('a group', () => {
  const graphOf = (path: string) => graph.cloud.graph().api(path);

  it('belongs to the caller by default, and otherwise only to those of the program', async () => {
    expect((await graph.group()).state['owners']).toEqual([ADMINISTRATOR_OBJECT_ID]);
    const { objectId } = graph.cloud.principal('group-owner');
    const { id, state, inputs } = await graph.group({ owners: [objectId] });
    expect(state['owners']).toEqual([objectId]);
    const news = { ...inputs, owners: [ADMINISTRATOR_OBJECT_ID] };
    expect(await graph.process.update(types.group, id, state, inputs, news)).toMatchObject({
      owners: [ADMINISTRATOR_OBJECT_ID],
    });
  });

  it('keeps members that others add, and loses all if the program has an empty list', async () => {
    const { id, state, inputs } = await graph.group();
    const member = { groupObjectId: state['objectId'] ?? '', memberObjectId: ADMINISTRATOR_OBJECT_ID };
    await graph.make(types.groupMember, member);
    const read = await graph.process.read(types.group, id, state, inputs);
    expect(read?.state['members']).toEqual([ADMINISTRATOR_OBJECT_ID]);
    const held = read?.state ?? {};
    const diff = await graph.process.diff(types.group, id, held, read?.inputs ?? {}, inputs);
    expect(diff.diffsList).toEqual([]);
    const changed = { ...inputs, description: 'changed' };
    expect(await graph.process.update(types.group, id, held, inputs, changed)).toMatchObject({
      members: [ADMINISTRATOR_OBJECT_ID],
    });
    const empty = { ...changed, members: [] };
    expect((await graph.process.update(types.group, id, held, changed, empty))['members'] ?? []).toEqual([]);
  });

  it('has a nickname as the portal makes it', async () => {
    expect((await graph.group()).state['mailNickname']).toMatch(/^[0-9a-f]{8}-[0-9a-f]$/);
  });

  it('refuses a name that exists only if asked', async () => {
    const { inputs } = await graph.group();
    await graph.group(inputs);
    await expect(graph.group({ ...inputs, preventDuplicateNames: true })).rejects.toThrow(
      /a group with the name '.*' exists, and preventDuplicateNames is set: import '\/groups\//,
    );
  });

  it('waits until the directory shows it', async () => {
    graph.cloud.azure.control.faults.add({
      method: 'PATCH',
      url: /\/groups\//,
      reply: { status: 404, code: 'Request_ResourceNotFound', message: 'not yet' },
      times: 2,
    });
    expect((await graph.group()).id).toMatch(/^\/groups\//);
  });

  it('refuses a member that it has, and finds none when it is gone', async () => {
    const { id, state } = await graph.group({ members: [ADMINISTRATOR_OBJECT_ID] });
    const inputs = { groupObjectId: state['objectId'] ?? '', memberObjectId: ADMINISTRATOR_OBJECT_ID };
    const { message } = await refusal(graph.process.create(types.groupMember, inputs));
    expect(message).toMatch(/cannot create already existing resource '.*\/member\/.*': import it/);
    const other = { ...inputs, memberObjectId: graph.cloud.principal('other').objectId };
    const created = await graph.make(types.groupMember, other);
    await graphOf(id).delete();
    expect(await graph.process.read(types.groupMember, created.id, created.state, other)).toBeUndefined();
    await expect(graph.process.create(types.groupMember, inputs)).rejects.toThrow(/Request_ResourceNotFound/);
  });
});

describe('sign-in', () => {
  it('works with a certificate and with a password that the plugin made', async () => {
    const { id, state } = await graph.application();
    const clientId = textAt(state, 'clientId');
    await graph.make(types.servicePrincipal, { clientId });
    const { certificate = '', bundle = '' } = pair[0] ?? {};
    await graph.make(types.certificate, {
      applicationId: id,
      type: 'AsymmetricX509Cert',
      value: certificate,
    });
    const secret = await graph.make(types.password, { applicationId: id });
    expect(containsSecret(secret.state['value'])).toBe(true);

    const scope = 'https://management.azure.com/.default';
    expect((await graph.cloud.certificateCredential(clientId, bundle).getToken(scope)).token).toMatch(/^ey/);
    const credential = graph.cloud.secretCredential(clientId, textAt(secret.state, 'value'));
    expect((await credential.getToken(scope)).token).toMatch(/^ey/);
  });
});
