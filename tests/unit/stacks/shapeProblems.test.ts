import { application, problemsOf, validInput } from './settings';

const lines = (changes: Record<string, unknown>) =>
  problemsOf(validInput({ applications: [], secretValues: {}, ...changes })).map((line) =>
    line.replace('aks-workload-identity:', ''),
  );

describe('an object that does not say which of its shapes it has', () => {
  it('has its other mistakes reported as well: those that are mistakes in any shape', () => {
    const cluster = { name: 'Aks', mode: 'extrnal', issuer: 'http://x', isuer: 'x', nodes: { count: 1 } };

    expect(
      lines({ clusters: [cluster] }).map((line) => line.replace(/ Allowed: .*?\.(?= Did|$)/, '')),
    ).toEqual([
      'clusters[0].name: "Aks" is not allowed.',
      'clusters[0].mode: "extrnal" is not allowed. Did you mean external?',
      'clusters[0].issuer: "http://x" is not allowed.',
      'clusters[0].isuer: is not a known key. Did you mean issuer?',
    ]);
    expect(lines({ clusters: [{ mode: 'other' }] })).toHaveLength(2);
  });

  it.each([
    ['yes', ''],
    ['false', ' Did you mean false?'],
  ])('may have %s for a flag', (install, remedy) => {
    expect(lines({ certManager: { install, version: '1.2.3', chrt: 'x' } })).toEqual([
      `certManager.install: "${install}" is not allowed. Allowed: true, false.${remedy}`,
      'certManager.chrt: is not a known key. Allowed: install, chart, repository, version, replicas. Did you mean chart?',
    ]);
  });

  it('may have what only some of the shapes allow', () => {
    const overrides = [{ clusters: ['aks-1'], values: { a: 1 }, replica: 2 }];
    const { image: _image, ...neither } = application('a', { overrides });

    expect(lines({ applications: [neither] })).toEqual([
      'applications[0]: has none of `image`, `chart`, `release`. Allowed: exactly one of them. Add one.',
      'applications[0].overrides[0].replica: is not a known key. Allowed: clusters, image, replicas, port, env, values. Did you mean replicas?',
    ]);
  });
});

describe('the name of an imported role assignment', () => {
  it('is a GUID', () => {
    const roleAssignments = { 'kv-test/aks-1/db': 'made-by-hand' };

    expect(lines({ imported: { roleAssignments } })).toEqual([
      'imported.roleAssignments["kv-test/aks-1/db"]: "made-by-hand" is not allowed. Allowed: a GUID.',
    ]);
  });
});

describe('a number that is to be a text', () => {
  const of = (version: unknown) =>
    application('a', {
      dependencies: [{ name: 'db', postgresql: { name: 'pg-test', database: 'a', version } }],
    });

  it('is to be in quotes, if that makes it right', () => {
    const place = 'applications[0].dependencies[0].postgresql.version';

    expect(lines({ applications: [of(16)] })).toEqual([
      `${place}: 16 is not allowed. Allowed: 14, 15, 16, 17, 18. Write it in quotes.`,
    ]);
    expect(lines({ applications: [of(12)] })).toEqual([
      `${place}: 12 is not allowed. Allowed: 14, 15, 16, 17, 18.`,
    ]);
  });
});

describe('a setting of an earlier version', () => {
  it.each([
    ['resourceGroup', { resourceGroup: { adopt: 'x' } }],
    ['clusters[0]', { clusters: [{ name: 'a', adopt: 'x' }] }],
    ['applications[0]', { applications: [application('a', { adopt: 'x' })] }],
  ])('is refused with what says the same today: adopt of %s', (place, changes) => {
    expect(lines(changes)).toContain(
      `${place}.adopt: is a key of an earlier version. Today, what exists is named by \`existing\`, a cluster by \`mode: existing\` and \`id\`.`,
    );
  });

  it.each([
    ['kept', true],
    ['allowed', false],
  ])('may be a value: %s', (retainOnDelete, today) => {
    expect(lines({ retainOnDelete })).toEqual([
      `retainOnDelete: "${retainOnDelete}" is not allowed. Allowed: true, false. Write \`${String(today)}\`, which is what \`${retainOnDelete}\` was.`,
    ]);
  });
});
