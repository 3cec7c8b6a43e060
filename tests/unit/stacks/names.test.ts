import { groupId, identityId } from './ids';
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

describe('a text twice in a list', () => {
  it('is reported wherever the list is, and beside what else is wrong', () => {
    const subnet = `${groupId('rg-net')}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`;
    const endpoints = [{ subnet }, { subnet: subnet.toUpperCase() }];
    const dependencies = [{ name: 'bus', serviceBus: { name: 'sb-a', queues: ['one', 'two', 'One'] } }];
    const found = lines({
      vault: { name: 'kv-test', access: 'rbca', privateEndpoints: endpoints },
      applications: [
        application('a', {
          dependencies,
          replicas: -1,
          secrets: ['db', 'DB'],
          overrides: [{ clusters: ['aks-1', 'aks-1'] }],
        }),
      ],
    });

    const repeated = found.filter((line) => line?.includes('is in the list already'));
    expect(repeated.map((line) => line?.split(':')[0])).toEqual([
      'vault.privateEndpoints[1].subnet',
      'applications[0].dependencies[0].serviceBus.queues[2]',
      'applications[0].secrets[1]',
      'applications[0].overrides[0].clusters[1]',
    ]);
  });

  it('is nothing wrong in what an owner gives to a chart', () => {
    const chart = { chart: './chart', values: { args: ['-v', '-v'] } };

    expect(lines({ applications: [{ name: 'a', chart }] })).toEqual([]);
  });
});
