import { application, problemsOf, validInput } from './settings';

describe('names that every object has a property of', () => {
  it('have no kubeconfig, no identity and no value of a secret unless one is given', () => {
    const existing = application('a', { secrets: ['constructor'], identity: { existing: {} } });
    const input = validInput({
      clusters: [{ name: 'constructor', mode: 'external', issuer: 'https://issuer.example' }],
      ...{ kubeconfigs: {}, secretValues: {}, applications: [existing] },
    });

    expect(problemsOf(input)).toEqual([
      expect.stringContaining('kubeconfigs'),
      expect.stringContaining('applications[0].identity.existing.constructor: is missing'),
    ]);
  });
});
