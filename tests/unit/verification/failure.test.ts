import { classifyFailure, isTrustRefusal } from '../../../verification/failure';

const entra = (code: string): Error =>
  new Error(`invalid_client: AADSTS${code}: Something. Trace ID: 1\nmore`);

const vault = (statusCode: number, code: string, inner?: string): Error =>
  Object.assign(new Error('Caller is not authorized.\r\nCaller: appid=…'), {
    statusCode,
    code,
    details: { error: { code, ...(inner === undefined ? {} : { innererror: { code: inner } }) } },
  });

describe("Entra's answers", () => {
  it.each([
    ['70021', 'notPropagated', true],
    ['70025', 'notPropagated', false],
    ['700016', 'notPropagated', false],
    ['90061', 'unavailable', false],
    ['7000272', 'unavailable', false],
    ['700211', 'mismatch', true],
    ['700212', 'mismatch', true],
    ['700213', 'mismatch', true],
    ['7002138', 'mismatch', true],
    ['50013', 'other', false],
    ['700024', 'other', false],
    ['7000215', 'other', false],
  ])('AADSTS%s is %s; refuses the token itself: %s', (code, kind, refusal) => {
    const failure = classifyFailure(entra(code));
    expect(failure).toMatchObject({ kind, code: `AADSTS${code}` });
    expect(isTrustRefusal(failure)).toBe(refusal);
    expect(failure.text).not.toContain('\n');
  });
});

describe("the vault's answers", () => {
  it.each([
    ['RBAC', vault(403, 'Forbidden', 'ForbiddenByRbac'), 'forbidden', 'ForbiddenByRbac'],
    ['access policy', vault(403, 'Forbidden', 'AccessDenied'), 'forbidden', 'AccessDenied'],
    ['disabled', vault(403, 'Forbidden', 'SecretDisabled'), 'disabled', 'SecretDisabled'],
    ['firewall', vault(403, 'Forbidden', 'ForbiddenByConnection'), 'other', 'ForbiddenByConnection'],
    ['403 of a proxy', Object.assign(new Error('no'), { statusCode: 403 }), 'other', '403'],
    ['absent', vault(404, 'SecretNotFound'), 'notFound', 'SecretNotFound'],
    ['throttled', vault(429, 'Throttled'), 'unavailable', 'Throttled'],
    ['broken', vault(503, 'ServiceUnavailable'), 'unavailable', 'ServiceUnavailable'],
    ['unauthorized', vault(401, 'Unauthorized'), 'other', 'Unauthorized'],
  ])('%s', (_what, error, kind, code) => {
    expect(classifyFailure(error)).toMatchObject({ kind, code });
  });
});

describe('other failures', () => {
  it('finds the code of a connection behind the wrapping error', () => {
    const error = Object.assign(new Error('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    expect(classifyFailure(error)).toMatchObject({ kind: 'unavailable', code: 'ECONNREFUSED' });
  });

  it("has the API server's sentence, not the client's headers", () => {
    const error = Object.assign(new Error('HTTP-Code: 404\nMessage: Unknown\nHeaders: {"x":1}'), {
      code: 404,
      body: '{"kind":"Status","message":"serviceaccounts \\"a\\" not found","code":404}',
    });
    expect(classifyFailure(error)).toMatchObject({ kind: 'notFound', text: 'serviceaccounts "a" not found' });
  });

  it('accepts anything that is thrown', () => {
    expect(classifyFailure('odd')).toEqual({ kind: 'other', code: undefined, text: 'odd' });
  });
});
