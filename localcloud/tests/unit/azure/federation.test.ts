import fc from 'fast-check';
import type { Presented } from '../../../azure/entra/errors';
import { EntraError } from '../../../azure/entra/errors';
import type { Credential } from '../../../azure/entra/federation';
import { matchCredential } from '../../../azure/entra/federation';

const credential = (change: Partial<Credential> = {}): Credential => ({
  name: 'one',
  issuer: 'https://issuer/',
  subject: 'system:serviceaccount:a:b',
  audience: 'api://AzureADTokenExchange',
  writtenAt: 0,
  ...change,
});
const presented = (change: Partial<Presented> = {}): Presented => ({
  issuer: 'https://issuer/',
  subject: 'system:serviceaccount:a:b',
  audience: 'api://AzureADTokenExchange',
  ...change,
});
const codeOf = (credentials: Credential[], assertion: Presented, seenUntil = 1): number => {
  try {
    matchCredential(credentials, assertion, seenUntil);
  } catch (error) {
    if (error instanceof EntraError) return error.code;
    throw error;
  }
  return 0;
};

describe('matching an assertion to federated credentials', () => {
  it.each([
    ['an exact match', {}, 0],
    ['another issuer', { issuer: 'https://other/' }, 700211],
    ['an issuer without its trailing slash', { issuer: 'https://issuer' }, 700211],
    ['an issuer in another case', { issuer: 'https://ISSUER/' }, 7002138],
    ['another subject', { subject: 'system:serviceaccount:a:c' }, 700213],
    ['a subject in another case', { subject: 'system:serviceaccount:A:b' }, 7002138],
    ['another audience', { audience: 'openshift' }, 700212],
    ['an audience in another case', { audience: 'API://azureadtokenexchange' }, 7002138],
  ])('%s gives %j → %i', (_what, change, code) => {
    expect(codeOf([credential()], presented(change))).toBe(code);
  });

  it('distinguishes "none at all" and "not there yet" from "does not match"', () => {
    expect(codeOf([], presented())).toBe(70021);
    const late = credential({ writtenAt: 10 });
    expect(codeOf([late, credential({ subject: 'x' })], presented(), 5)).toBe(70021);
    expect(codeOf([late, credential({ subject: 'x' })], presented(), 10)).toBe(0);
  });

  it('never accepts an assertion that differs from every credential', () => {
    const part = fc.constantFrom('a', 'A', 'b', 'a/');
    const arbitrary = fc.record({ issuer: part, subject: part, audience: part });
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 4 }), arbitrary, (held, presented) => {
        const code = codeOf(
          held.map((each) => credential(each)),
          presented,
        );
        const exact = held.some(
          (each) =>
            each.issuer === presented.issuer &&
            each.subject === presented.subject &&
            each.audience === presented.audience,
        );
        expect(code === 0).toBe(exact);
      }),
    );
  });
});
