import { checkStorageTags, checkTags } from '../../../azure/arm/tags';

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, '']));

/** The code of the refusal. */
function codeOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

describe('tags', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['of the greatest lengths and number', { ...many(49), ['n'.repeat(512)]: 'v'.repeat(256) }, undefined],
    ['with a colon, a period and a space in the name', { 'cost: a.b': '<%>' }, undefined],
    ...['<', '>', '%', '&', '\\', '?', '/', '\n'].map(
      (character): [string, Record<string, string>, string] => [
        `with ${JSON.stringify(character)} in the name`,
        { [`a${character}b`]: '' },
        'InvalidTagNameCharacters',
      ],
    ),
    ['of which there are 51', many(51), 'InvalidTags'],
    ['with a name of 513 characters', { ['n'.repeat(513)]: '' }, 'InvalidTagName'],
    ['with an empty name', { ' ': '' }, 'InvalidTagName'],
    ['with a value of 257 characters', { a: 'v'.repeat(257) }, 'InvalidTagValueLength'],
    ['of Microsoft', { 'Microsoft.x': '' }, 'InvalidTagName'],
    ['of Azure', { azureOwner: '' }, 'InvalidTagName'],
    ['of Windows', { WINDOWS: '' }, 'InvalidTagName'],
    ['whose names differ only in case', { owner: 'a', Owner: 'b' }, 'InvalidTags'],
  ])('%s', (_what, tags, code) => {
    expect(codeOf(() => checkTags(tags))).toBe(code);
  });

  it('have shorter names on storage accounts', () => {
    expect(codeOf(() => checkStorageTags({ ['n'.repeat(128)]: '' }))).toBeUndefined();
    expect(codeOf(() => checkStorageTags({ ['n'.repeat(129)]: '' }))).toBe('InvalidTagName');
  });
});
