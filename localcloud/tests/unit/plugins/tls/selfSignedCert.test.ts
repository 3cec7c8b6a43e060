import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import * as x509 from '../../../../plugins/tls/x509';
import { Secret, unknown, type Diff, type Properties } from '../../../../plugins/protocol';
import { textAt } from '../../../../plugins/resources/propertyPath';
import { keyUseNames } from '../../../../plugins/tls/keyUses';
import { createProvider } from '../../../../plugins/tls/provider';
import { types } from '../../../../plugins/tls/types';
import { context, now, preview, problems } from '../support/harness';

const hour = 60 * 60 * 1000;
const start = new Date('2026-01-01T00:00:00.500Z');
let clock = start;
beforeEach(() => (clock = start));
const provider = createProvider(() => clock);
const type = types.selfSignedCert;

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = rsa.privateKey.export(pkcs8).toString();
const ecKey = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export(pkcs8).toString();

const inputs: Properties = {
  privateKeyPem: new Secret(key),
  validityPeriodHours: 100,
  earlyRenewalHours: 10,
  allowedUses: ['digital_signature', 'client_auth'],
  subject: { commonName: 'disk.example', organization: 'Example' },
};

async function create(certificateInputs: Properties = inputs): Promise<{ id: string; state: Properties }> {
  return provider.create('', type, certificateInputs, now, context);
}

function extension<T extends x509.Extension>(state: Properties, kind: new (raw: ArrayBuffer) => T): T | null {
  return new x509.X509Certificate(textAt(state, 'certPem')).getExtension(kind);
}

describe('a self-signed certificate', () => {
  it('is signed with its own key, valid from now, and says what it is for', async () => {
    const { id, state } = await create();

    const certificate = new X509Certificate(textAt(state, 'certPem'));
    expect(certificate.verify(rsa.publicKey)).toBe(true);
    expect(certificate.issuer).toBe(certificate.subject);
    expect(certificate.subject).toBe('O=Example\nCN=disk.example');
    expect(BigInt(`0x${certificate.serialNumber}`).toString()).toBe(id);
    expect(new Date(certificate.validFrom)).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(new Date(certificate.validTo)).toEqual(new Date('2026-01-05T04:00:00Z'));
    expect(certificate.ca).toBe(false);
    const uses = extension(state, x509.KeyUsagesExtension);
    expect(uses).toMatchObject({ usages: x509.KeyUsageFlags.digitalSignature, critical: true });
    expect(extension(state, x509.ExtendedKeyUsageExtension)?.usages).toEqual([
      x509.ExtendedKeyUsage.clientAuth,
    ]);
    expect(state).toMatchObject({
      keyAlgorithm: 'RSA',
      validityStartTime: '2026-01-01T00:00:00.500Z',
      validityEndTime: '2026-01-05T04:00:00.500Z',
      readyForRenewal: false,
      isCaCertificate: false,
      earlyRenewalHours: 10,
    });
    expect(state['privateKeyPem']).toBeInstanceOf(Secret);
  });

  it.each(['prime256v1', 'secp384r1', 'secp521r1'])('takes an ECDSA key of the curve %s', async (curve) => {
    const { state } = await create({ ...inputs, privateKeyPem: ecKey(curve) });
    const certificate = new X509Certificate(textAt(state, 'certPem'));
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(state['keyAlgorithm']).toBe('ECDSA');
  });

  it('takes every use, name and attribute', async () => {
    const { state } = await create({
      ...inputs,
      allowedUses: [...keyUseNames],
      dnsNames: ['disk.example'],
      ipAddresses: ['10.0.0.1', '::1'],
      uris: ['spiffe://example/disk'],
      isCaCertificate: true,
      maxPathLength: 2,
      setAuthorityKeyId: true,
      subject: {
        country: 'DE',
        organization: 'O',
        organizationalUnit: 'OU',
        locality: 'L',
        province: 'ST',
        streetAddresses: ['one', 'two'],
        postalCode: '1',
        commonName: 'CN',
        serialNumber: '7',
        emailAddress: 'a@b.example',
      },
    });

    const certificate = new X509Certificate(textAt(state, 'certPem'));
    expect(certificate.ca).toBe(true);
    expect(certificate.subject.split('\n')).toEqual([
      'C=DE',
      'O=O',
      'OU=OU',
      'L=L',
      'ST=ST',
      'street=one',
      'street=two',
      'postalCode=1',
      'CN=CN',
      'serialNumber=7',
      'emailAddress=a@b.example',
    ]);
    expect(certificate.subjectAltName).toBe(
      'DNS:disk.example, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1, URI:spiffe://example/disk',
    );
    expect(extension(state, x509.KeyUsagesExtension)?.usages).toBe(511);
    expect(extension(state, x509.ExtendedKeyUsageExtension)?.usages).toHaveLength(14);
    expect(extension(state, x509.BasicConstraintsExtension)).toMatchObject({ ca: true, pathLength: 2 });
    expect(extension(state, x509.AuthorityKeyIdentifierExtension)?.keyId).toBe(
      extension(state, x509.SubjectKeyIdentifierExtension)?.keyId,
    );
  });

  it('is previewed without a certificate', async () => {
    const unknownKey = { ...inputs, privateKeyPem: unknown };
    const { state } = await provider.create('', type, unknownKey, preview, context);
    expect(state).toMatchObject({ certPem: unknown, validityEndTime: unknown, earlyRenewalHours: 10 });
  });

  it.each<[string, Properties, string, RegExp]>([
    ['no key', { privateKeyPem: null }, 'privateKeyPem', /missing required property 'privateKeyPem'/],
    ['an invalid key', { privateKeyPem: new Secret('hunter2') }, 'privateKeyPem', /not a usable private key/],
    ['a key that cannot sign', { privateKeyPem: ecKey('secp224r1') }, 'privateKeyPem', /secp224r1.*P256/],
    ['a write-only key', { privateKeyPemWo: 'x' }, 'privateKeyPemWo', /not supported.*set privateKeyPem/],
    ['half an hour', { validityPeriodHours: 0.5 }, 'validityPeriodHours', /0.5.*integer of at least 0/],
    ['a negative window', { earlyRenewalHours: -1 }, 'earlyRenewalHours', /-1.*integer/],
    ['an unknown use', { allowedUses: ['clientAuth'] }, 'allowedUses', /'clientAuth'.*client_auth/],
    ['a wrong address', { ipAddresses: ['10.0.0'] }, 'ipAddresses', /'10.0.0' is not an IP address/],
    ['an authority without a name', { isCaCertificate: true, subject: {} }, 'subject', /at least one name/],
    ['an authority key id alone', { setAuthorityKeyId: true }, 'setAuthorityKeyId', /set setSubjectKeyId/],
    [
      'an unknown attribute',
      { subject: { commonname: 'x' } },
      'subject.commonname',
      /'subject.commonName'\?/,
    ],
  ])('refuses %s', async (_case, changed, property, reason) => {
    const found = await problems(provider, type, { ...inputs, ...changed });
    expect(found[property]).toMatch(reason);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('accepts what is not known yet', async () => {
    const later = { ...inputs, privateKeyPem: unknown, subject: unknown, isCaCertificate: true };
    expect(await problems(provider, type, later)).toEqual({});
  });

  it('cannot be imported', async () => {
    await expect(provider.read('', type, 'id', {}, {}, context)).rejects.toThrow(/cannot be imported/);
  });
});

describe('a change', () => {
  async function diff(changed: Properties, at = start): Promise<Diff> {
    const { id, state } = await create();
    clock = at;
    return provider.diff('', type, id, state, inputs, { ...inputs, ...changed }, []);
  }

  it('is none for the same inputs and stated defaults', async () => {
    expect(await diff({ isCaCertificate: false, setSubjectKeyId: false })).toMatchObject({ changes: false });
  });

  it.each<[string, Properties]>([
    ['validityPeriodHours', { validityPeriodHours: 200 }],
    ['allowedUses', { allowedUses: ['client_auth'] }],
    ['dnsNames', { dnsNames: ['a.example'] }],
    ['subject', { subject: { commonName: 'another.example' } }],
    ['privateKeyPem', { privateKeyPem: ecKey('prime256v1') }],
    ['isCaCertificate', { isCaCertificate: true }],
  ])('of %s replaces the certificate, before the old one is deleted', async (property, changed) => {
    const found = await diff(changed);
    expect(found).toMatchObject({ changes: true, replaces: [property] });
    expect(found.deleteBeforeReplace ?? false).toBe(false);
  });

  it('of the window alone is written to the state', async () => {
    expect(await diff({ earlyRenewalHours: 20 })).toMatchObject({
      replaces: [],
      diffs: ['earlyRenewalHours'],
    });
    const { id, state } = await create();
    const updated = await provider.update(
      '',
      type,
      id,
      state,
      inputs,
      { ...inputs, earlyRenewalHours: 20 },
      now,
      context,
    );
    expect(updated.state).toEqual({ ...state, earlyRenewalHours: 20 });
  });

  it.each([
    [89, false],
    [90, true],
    [101, true],
  ])('renews after %d hours of 100, 10 hours early: %s', async (hours, renewed) => {
    const found = await diff({}, new Date(start.getTime() + hours * hour));
    expect(found.replaces).toEqual(renewed ? ['readyForRenewal'] : []);
  });

  it('of the window renews if the certificate is in the new one', async () => {
    const found = await diff({ earlyRenewalHours: 50 }, new Date(start.getTime() + 60 * hour));
    expect(found.replaces).toEqual(['readyForRenewal']);
  });

  it('renews each time if the window is the whole period', async () => {
    const { state } = await create({ ...inputs, earlyRenewalHours: 100 });
    expect(state['readyForRenewal']).toBe(true);
  });

  it('is reported by a refresh, which otherwise shows none', async () => {
    const { id, state } = await create();
    expect(await provider.read('', type, id, state, inputs, context)).toEqual({ id, state, inputs });
    clock = new Date(start.getTime() + 95 * hour);
    const read = await provider.read('', type, id, state, inputs, context);
    expect(read).toEqual({ id, state: { ...state, readyForRenewal: true }, inputs });
  });
});
