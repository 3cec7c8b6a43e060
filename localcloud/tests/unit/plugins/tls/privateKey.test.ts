import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { revealAll, Secret, unknown, type Properties } from '../../../../plugins/protocol';
import { textAt } from '../../../../plugins/resources/propertyPath';
import { createProvider } from '../../../../plugins/tls/provider';
import { types } from '../../../../plugins/tls/types';
import { context, now, preview, problems } from '../support/harness';

const provider = createProvider();
const type = types.privateKey;

async function create(inputs: Properties): Promise<{ id: string; state: Properties }> {
  return provider.create('', type, inputs, now, context);
}

describe('a private key', () => {
  it('is RSA with 2048 bits by default, in both forms and as a secret', async () => {
    const { id, state } = await create({ algorithm: 'RSA' });

    expect(state).toMatchObject({ algorithm: 'RSA', rsaBits: 2048, ecdsaCurve: 'P224' });
    expect(state['privateKeyPem']).toBeInstanceOf(Secret);
    expect(state['privateKeyPemPkcs8']).toBeInstanceOf(Secret);
    expect(state['privateKeyOpenssh']).toBeInstanceOf(Secret);
    expect(textAt(state, 'privateKeyPem')).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n[^]+-----\n$/);
    expect(textAt(state, 'privateKeyPemPkcs8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^]+-----\n$/);
    const key = createPrivateKey(textAt(state, 'privateKeyPem'));
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(createPrivateKey(textAt(state, 'privateKeyPemPkcs8')).equals(key)).toBe(true);
    const spki = createPublicKey(textAt(state, 'publicKeyPem')).export({ type: 'spki', format: 'der' });
    expect(createPublicKey(key).export({ type: 'spki', format: 'der' })).toEqual(spki);
    expect(id).toBe(createHash('sha1').update(spki).digest('hex'));
  });

  it.each([
    ['P256', 'prime256v1'],
    ['P384', 'secp384r1'],
    ['P521', 'secp521r1'],
  ])('is ECDSA with %s', async (ecdsaCurve, namedCurve) => {
    const { state } = await create({ algorithm: 'ECDSA', ecdsaCurve });
    expect(textAt(state, 'privateKeyPem')).toContain('BEGIN EC PRIVATE KEY');
    const key = createPrivateKey(textAt(state, 'privateKeyPem'));
    expect(key.asymmetricKeyDetails).toMatchObject({ namedCurve });
  });

  it('has no OpenSSH forms', async () => {
    const { state } = await create({ algorithm: 'ECDSA', ecdsaCurve: 'P256' });
    expect(revealAll(state)).toMatchObject({ privateKeyOpenssh: '', publicKeyOpenssh: '' });
  });

  it('is previewed without a key', async () => {
    const { state } = await provider.create('', type, { algorithm: 'RSA' }, preview, context);
    expect(state).toMatchObject({ algorithm: 'RSA', rsaBits: 2048, privateKeyPem: unknown });
  });

  it.each<[string, Properties, string, RegExp]>([
    ['another algorithm', { algorithm: 'ED25519' }, 'algorithm', /'ED25519'.*allowed are RSA, ECDSA/],
    ['a short key', { algorithm: 'RSA', rsaBits: 1024 }, 'rsaBits', /1024.*2048 to 4096/],
    ['the default curve', { algorithm: 'ECDSA' }, 'ecdsaCurve', /'P224'.*P256, P384, P521/],
    ['an unknown input', { algorithm: 'RSA', rsaBit: 2048 }, 'rsaBit', /did you mean 'rsaBits'\?/],
  ])('refuses %s', async (_case, inputs, property, reason) => {
    expect((await problems(provider, type, inputs))[property]).toMatch(reason);
  });

  it('accepts what is not known yet, and what the algorithm does not use', async () => {
    expect(await problems(provider, type, { algorithm: unknown, rsaBits: unknown })).toEqual({});
    expect(await problems(provider, type, { algorithm: 'ECDSA', ecdsaCurve: 'P256', rsaBits: 1 })).toEqual(
      {},
    );
  });

  it('is replaced by every change, but not by a stated default', async () => {
    const { id, state } = await create({ algorithm: 'RSA' });
    const diff = (news: Properties) => provider.diff('', type, id, state, { algorithm: 'RSA' }, news, []);
    expect(await diff({ algorithm: 'RSA', rsaBits: 2048 })).toMatchObject({ changes: false, replaces: [] });
    expect(await diff({ algorithm: 'RSA', rsaBits: 3072 })).toMatchObject({
      changes: true,
      replaces: ['rsaBits'],
    });
  });

  it('cannot be imported', async () => {
    await expect(provider.read('', type, 'id', {}, {}, context)).rejects.toThrow(/cannot be imported/);
  });
});

describe('what the plugin does not have', () => {
  it.each(['tls:index/certRequest:CertRequest', 'tls:index/locallySignedCert:LocallySignedCert'])(
    'refuses %s by name',
    async (token) => {
      await expect(provider.create('', token, {}, now, context)).rejects.toThrow(
        `the local cloud's tls plugin has no resource type '${token}': it has ${types.privateKey}, ${types.selfSignedCert}`,
      );
    },
  );

  it('refuses functions and configuration', async () => {
    await expect(provider.invoke('tls:index/getCertificate:getCertificate', {}, context)).rejects.toThrow(
      /no function 'tls:index\/getCertificate:getCertificate'/,
    );
    const checked = await provider.checkConfig?.({}, { proxy: { url: 'x' }, version: '5.6.1' });
    expect(checked?.failures.map(({ property }) => property)).toEqual(['proxy']);
  });
});
