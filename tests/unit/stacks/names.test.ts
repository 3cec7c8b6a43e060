import { identityId } from './ids';
import { application, problemsOf, validInput } from './settings';

// Rules that hold for entries of which one is wrong in itself as well.

const lines = (changes: Record<string, unknown>) =>
  problemsOf(validInput({ secretValues: {}, ...changes })).map(
    (line) => line.replaceAll('aks-workload-identity:', '').split('. ')[0],
  );

describe('a name twice in a list', () => {
  it('is reported in the same round as what else is wrong with one of the two', () => {
    expect(lines({ clusters: [{ name: 'aks-1', nodes: { count: 0 } }, { name: 'aks-1' }] })).toContain(
      'clusters[1].name: "aks-1" is the name of clusters[0] already',
    );
    expect(lines({ applications: [application('a'), application('a', { image: 'x' })] })).toContain(
      'applications[1].name: "a" is the name of applications[0] already',
    );
    const dependencies = [{ name: 'db' }, { name: 'db', identity: { name: 'id-db' } }];
    expect(lines({ applications: [application('a', { dependencies })] })).toContain(
      'applications[0].dependencies[1].name: "db" is the name of applications[0].dependencies[0] already',
    );
  });

  it('is reported where the release of an application is missing', () => {
    const release = './applications/a.yaml';

    expect(lines({ applications: [{ name: 'a', release }, application('a')] })).toContain(
      'applications[1].name: "a" is the name of applications[0] already',
    );
  });
});

describe('an existing identity', () => {
  it('twice is reported in the same round as what is wrong elsewhere', () => {
    const identity = { existing: identityId('id-there') };
    const clusters = [{ name: 'aks-1', identity }, { name: 'Wrong' }, { name: 'aks-2', identity }];

    expect(lines({ clusters, applications: [application('a', { image: 'x' })], vault: {} })).toContain(
      `clusters[2].identity.existing: "${identityId('id-there')}" is the identity of clusters[0].identity.existing already`,
    );
    const own = application('a', {
      clusters: ['aks-1'],
      identity: { existing: { 'aks-1': identity.existing } },
    });
    expect(lines({ clusters: clusters.slice(0, 2), applications: [own] })).toContain(
      `applications[0].identity.existing.aks-1: "${identityId('id-there')}" is the identity of clusters[0].identity.existing already`,
    );
  });
});
