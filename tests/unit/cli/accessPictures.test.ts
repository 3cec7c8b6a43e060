import { accessPage } from '../../../cli/access/page';
import { accessPicture, differencePicture } from '../../../cli/access/picture';
import { accessDifference } from '../../../stacks/access/difference';
import type { Access, IdentityAccess, Reader } from '../../../stacks/access/reach';
import { areasOf, contains, overlap, parseSvg } from './svgDocument';

// What these do not prove: that it pleases the eye. What a browser makes of them is in tests/browser/access.test.ts.

const secret = (name: string) => ({
  key: `/vaults/kv/secrets/${name}`,
  text: `kv/${name}`,
  because: 'granted',
});

/** An identity of applications on a cluster, each with a service account of its name, and what it may read. */
const identity = (
  name: string,
  cluster: string,
  applications: string[],
  secrets: string[],
): IdentityAccess => ({
  ...{ key: `${cluster}/${name}`, name },
  subjects: applications.map((application) => ({
    key: `${cluster}/${application}`,
    text: `${application}/${application}`,
    cluster,
  })),
  targets: secrets.map(secret),
});

const reader = (cluster: string, application: string, named: string[]): Reader => ({
  ...{ cluster, application, accounts: [`${application}/${application}`] },
  named: named.map((secretName) => `kv/${secretName}`),
});

const origin = { from: 'deployed' as const, at: new Date('2027-01-31T12:00:00Z') };
const counts = { trusts: 0, grants: 0, groups: 0, readers: 0 };
const of = (identities: IdentityAccess[], readers: Reader[], environment = 'prod'): Access => ({
  ...{ environment, identities, readers, unread: [], counts },
});

const access = of(
  [identity('id-a', 'aks-1', ['a', 'b'], ['s-a', 's-b']), identity('id-c', 'aks-2', ['c'], ['s-c', 's-d'])],
  [reader('aks-1', 'a', ['s-a']), reader('aks-1', 'b', ['s-a', 's-b']), reader('aks-2', 'c', ['s-c', 's-d'])],
);
const names = Array.from({ length: 300 }, (_, index) => `app-${index}`);
const many = of(
  names.flatMap((name, index) =>
    index % 2 === 0
      ? [identity(`id-${name}`, 'aks-1', [name, `app-${index + 1}`], [`s-${index}`, `s-${index + 1}`])]
      : [],
  ),
  names.map((name, index) => reader('aks-1', name, [`s-${index}`])),
);

/** Boxes of the styles, each with its texts. */
function drawn(drawnAccess: Access, ...styles: string[]) {
  const areas = areasOf(parseSvg(accessPicture(drawnAccess, origin)));
  const texts = areas.filter(({ element }) => element.name === 'text');
  const boxes = areas.filter(({ element }) => styles.includes(element.attributes.class ?? ''));
  return boxes.map((box) => ({
    box,
    texts: texts.filter((text) => contains(box, text)).map(({ element }) => element.text),
  }));
}

describe('the picture of who can read what', () => {
  it('has each secret once, in the panel of its vault, with all readers', () => {
    expect(drawn(access, 'panel').map(({ texts }) => texts[0])).toEqual(['kv']);
    const texts = drawn(access, 'grey').map((box) => box.texts.join(' '));
    expect(texts.filter((text) => text.startsWith('kv/'))).toEqual(['kv/s-a', 'kv/s-b', 'kv/s-c kv/s-d']);
    expect(drawn(access, 'blue', 'yellow').map((box) => box.texts.join(' '))).toEqual([
      ...['aks-1/a', 'aks-1/b', 'aks-1/a', 'aks-1/b', 'aks-2/c'],
      ...['a/a', 'id-a not named by it: identity id-a is shared with b'],
    ]);
    const [shared] = drawn(access, 'grey').filter((box) => box.texts[0] === 'kv/s-a');
    const readers = drawn(access, 'blue').slice(0, 2);
    for (const { box } of readers) {
      expect(shared?.box.y).toBeLessThanOrEqual(box.y);
      expect(shared?.box.bottom).toBeGreaterThanOrEqual(box.bottom);
    }
  });

  it('has readers that use the identity of nodes, and readers outside of clusters', () => {
    const nodes: IdentityAccess = {
      ...{ key: 'nodes', name: 'the nodes of aks-1' },
      subjects: [{ key: 'others nodes', text: 'principal the nodes of aks-1', notJudged: 'who that is' }],
      targets: [secret('s-a')],
    };
    const boxes = drawn(of([...access.identities, nodes], [...access.readers]), 'blue');
    expect(boxes.map(({ texts }) => texts.join(' '))).toContain('principal the nodes of aks-1');
  });

  it.each([
    ['deployed', 'deployed, by the state of stack prod, at 2027-01-31 12:00 UTC'],
    ['planned', 'planned, by the settings of stack prod, at 2027-01-31 12:00 UTC'],
  ] as const)('says what it is of: %s', (from, reported) => {
    expect(accessPicture(access, { ...origin, from })).toContain(reported);
    expect(accessPage(access, { ...origin, from })).toContain(reported);
  });

  it('shows a change with a panel for each kind, and both sides', () => {
    const after = of([identity('id-a', 'aks-1', ['a', 'b'], ['s-a', 's-new'])], [...access.readers]);
    const difference = accessDifference(access, after);
    const picture = differencePicture(difference, [origin, { ...origin, from: 'planned' }]);
    expect(picture).toContain('before: deployed, by the state of stack prod');
    expect(picture).toContain('after: planned, by the settings of stack prod');
    const areas = areasOf(parseSvg(picture));
    const texts = areas.filter(({ element }) => element.name === 'text').map(({ element }) => element.text);
    expect(texts).toEqual(expect.arrayContaining(['gained', 'kv/s-new', 'lost', 'kv/s-b']));
  });

  it('has 300 applications without boxes over each other', () => {
    const boxes = drawn(many, 'blue', 'grey', 'green', 'yellow').map(({ box }) => box);
    expect(boxes).toHaveLength(7 * 300);
    expect(
      boxes.filter((box, index) => boxes.slice(index + 1, index + 8).some((other) => overlap(box, other))),
    ).toEqual([]);
  });

  it('says for a stack without applications that nothing has access', () => {
    const none = accessPicture(of([], []), origin);
    expect(parseSvg(none).children[0]?.text).toBe('Nobody can use anything in prod');
  });
});

describe('the page of who can read what', () => {
  /** The texts of the rows of a table. */
  const rowsOf = (page: string, title: string): string[] =>
    (
      page
        .split(`<h2>${title}</h2>`)[1]
        ?.split('</table>')[0]
        ?.match(/<tr[ >](?:(?!<\/tr>)[^])*/g) ?? []
    )
      .slice(1)
      .map((row) =>
        row
          .replace(/<tr class="overreach">/, '! ')
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      );

  it('has everything by reader and by secret, and marks what is not named', () => {
    const page = accessPage(access, origin);
    expect(rowsOf(page, 'By reader')).toEqual([
      'aks-1/a a/a id-a kv/s-a granted',
      '! aks-1/a a/a id-a kv/s-b identity id-a is shared with b',
      'aks-1/b b/b id-a kv/s-a kv/s-b granted',
      'aks-2/c c/c id-c kv/s-c kv/s-d granted',
    ]);
    expect(rowsOf(page, 'By secret and role')).toEqual([
      'kv/s-a aks-1/a a/a id-a granted',
      'kv/s-a aks-1/b b/b id-a granted',
      '! kv/s-b aks-1/a a/a id-a identity id-a is shared with b',
      'kv/s-b aks-1/b b/b id-a granted',
      'kv/s-c aks-2/c c/c id-c granted',
      'kv/s-d aks-2/c c/c id-c granted',
    ]);
    expect(page).toContain('<p>4 secrets and roles, 3 readers; <b>1 can be used without being named</b></p>');
  });

  it('needs nothing else, and has no markup of a name', () => {
    const page = accessPage(
      of([identity('id', 'aks-1', ['"<b>&'], ['s'])], [reader('aks-1', '"<b>&', ['s'])], '<script>'),
      origin,
    );
    expect(page).not.toMatch(/(?:src|href)=|url\(|@import|https?:/);
    expect(page).toContain('<title>Who can use what in &lt;script&gt;</title>');
    expect(page).toContain('aks-1/&quot;&lt;b&gt;&amp;');
    expect(page).not.toContain('<b>&');
  });

  it('has 300 applications', () => {
    expect(rowsOf(accessPage(many, origin), 'By reader')).toHaveLength(600);
  });
});
