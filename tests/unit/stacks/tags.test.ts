import { application, problemsOf, validInput } from './settings';

const lines = (changes: Record<string, unknown>) =>
  problemsOf(validInput({ applications: [], secretValues: {}, ...changes })).map((line) =>
    line.replaceAll('aks-workload-identity:', ''),
  );
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'x']));

describe('the name of a tag', () => {
  it.each([
    'a<b',
    'a>b',
    'a%b',
    'a&b',
    'a\\b',
    'a?b',
    'a/b',
    '',
    ' ',
    'Microsoft.x',
    'azure-x',
    'WINDOWS',
    'n'.repeat(513),
  ])('is not %j, which Azure refuses', (name) => {
    expect(lines({ tags: { [name]: 'x' } })).toEqual([
      expect.stringContaining(
        'is not allowed. Allowed: 1 to 512 characters but < > % & \\ ? /, not starting with microsoft, azure or windows',
      ),
    ]);
  });

  it('may have anything else', () => {
    expect(lines({ tags: { 'cost center: a.b': 'x', my_azure: 'x', ['n'.repeat(512)]: 'x' } })).toEqual([]);
  });

  it('is at most 128 characters long if a storage account gets the tag', () => {
    const applications = [
      application('a', { dependencies: [{ name: 'f', storageAccount: { name: 'stf' } }] }),
    ];

    expect(lines({ applications, tags: { ['n'.repeat(128)]: 'x' } })).toEqual([]);
    expect(lines({ applications, tags: { ['n'.repeat(129)]: 'x' } })).toEqual([
      expect.stringContaining('has 129 characters, and applications[0].dependencies[0] is a storage account'),
    ]);
  });

  it('is another one in another case no more than Azure has it so, also beside the tags of the environment', () => {
    const same =
      'the two differ only in case, and Azure does not tell them apart. Write owner, or remove one of them.';

    expect(lines({ tags: { owner: 'a', Owner: 'b' } })).toEqual([
      `tags.Owner: "Owner" is the tag "owner" again; ${same}`,
    ]);
    expect(
      lines({
        tags: { owner: 'a' },
        vault: { name: 'kv-test', tags: { OWNER: 'b' } },
        clusters: [{ name: 'aks-1', tags: { owner: 'b' } }],
      }),
    ).toEqual([`vault.tags.OWNER: "OWNER" is the tag "owner" again; ${same}`]);
  });
});

describe('the tags of a resource', () => {
  it('are 50, with that of the stack and those of the environment', () => {
    expect(lines({ tags: many(49) })).toEqual([]);
    expect(lines({ tags: many(50), vault: { name: 'kv-test', tags: { a: 'x' } } })).toEqual([
      'tags: an object comes to 51 tags on one resource, with pulumi-stack. Allowed: up to 50 together. Remove some.',
    ]);
    expect(lines({ tags: many(49), clusters: [{ name: 'aks-1', tags: { a: 'x', t0: 'y' } }] })).toEqual([
      "clusters[0].tags: an object comes to 51 tags on one resource, with pulumi-stack and the environment's. Allowed: up to 50 together. Remove some.",
    ]);
  });

  it('have values of up to 256 characters', () => {
    expect(lines({ tags: { a: 'v'.repeat(256) } })).toEqual([]);
    expect(lines({ tags: { a: 'v'.repeat(257) } })).toEqual([
      expect.stringContaining('is not allowed. Allowed: a text of up to 256 characters'),
    ]);
  });
});
