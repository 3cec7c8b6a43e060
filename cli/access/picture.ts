import type { AccessDifference } from '../../stacks/access/difference';
import type { Access } from '../../stacks/access/reach';
import type { AccessRow } from '../../stacks/access/rows';
import { rowsOf } from '../../stacks/access/rows';
import type { Cell, Colour, Column } from '../picture/columns';
import { drawPicture, type Panel } from '../picture/svg';
import { originOf, type Origin } from '../picture/origin';
import { cellsOf, unchanged } from './words';

/**
 * Draws who can use what: an SVG document with a panel for each vault, and one for roles. Each secret and each role is in
 * one box, with everyone who can use it beside it. This makes sharing visible.
 */
export function accessPicture(access: Access, origin: Origin): string {
  const rows = rowsOf(access);
  const { environment } = access;
  const title =
    rows.length === 0 ? `Nobody can use anything in ${environment}` : `Who can use what in ${environment}`;
  return drawPicture({ title, notes: [originOf(environment, origin)], panels: panelsOf(rows) });
}

/** Secrets and roles that the same identities can use for the same reasons. */
interface Used {
  readonly targets: string[];
  readonly by: readonly AccessRow[];
}

function panelsOf(rows: readonly AccessRow[]): Panel[] {
  const places = new Map<string, Map<string, Used>>();
  const numbers = new Map(rows.map((row, index) => [row, index]));
  const byTarget = new Map<string, AccessRow[]>();
  for (const row of rows)
    for (const target of [...row.what, ...notListed(row)])
      byTarget.set(target, [...(byTarget.get(target) ?? []), row]);
  for (const [target, by] of [...byTarget].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const place = placeOf(target);
    const inPlace = places.get(place) ?? new Map<string, Used>();
    places.set(place, inPlace);
    const key = by.map((row) => numbers.get(row)).join();
    const used = inPlace.get(key) ?? { targets: [], by };
    used.targets.push(target);
    inPlace.set(key, used);
  }
  return [...places].map(([place, used]) => ({
    title: place,
    sections: [{ title: 'Who can use it', columns: columnsOf([...used.values()]) }],
  }));
}

/** Returns a note of how many more secrets the row covers than it lists. */
const notListed = ({ reader, what, overreach }: AccessRow): string[] =>
  overreach > what.length ? [`${overreach - what.length} more that ${reader} does not name`] : [];

const placeOf = (target: string): string =>
  / on /.test(target) ? 'Roles' : (/^([^/\s]+)\/\S+$/.exec(target)?.[1] ?? 'Other things');

function columnsOf(used: readonly Used[]): Column[] {
  const rows = used.flatMap(({ by }) => by);
  const column = (
    title: string,
    colour: Colour,
    characters: number,
    textsOf: (row: AccessRow) => Cell['texts'],
  ): Column => ({
    ...{ title, colour, characters },
    cells: rows.map((row) => ({
      texts: textsOf(row),
      ...(row.overreach > 0 && { colour: 'yellow' as const }),
    })),
  });
  return [
    column('who', 'blue', 28, ({ cluster, reader }) => [
      { text: [cluster, reader].filter(Boolean).join('/') },
    ]),
    column('service accounts', 'grey', 36, ({ subjects }) =>
      (subjects.length === 0 ? ['none'] : subjects).map((text) => ({ text })),
    ),
    column('identity', 'green', 40, ({ identity, because, overreach }) => [
      { text: identity },
      { text: overreach > 0 ? `not named by it: ${because}` : because, quiet: true },
    ]),
    {
      ...{ title: 'what', colour: 'grey', characters: 44 },
      cells: used.map(({ targets, by }) => ({
        texts: targets.map((text) => ({ text })),
        ...(by.length > 1 && { rows: by.length }),
      })),
    },
  ];
}

/** Colours of the kinds of changes: those that give access, and those that take it. */
const colours: Partial<Record<string, Colour>> = {
  ...{ gained: 'yellow', 'not judged': 'yellow', widened: 'yellow' },
  ...{ narrowed: 'green', lost: 'green' },
};

/** Draws what a change gives and takes: an SVG document with a panel for each kind of change. */
export function differencePicture(difference: AccessDifference, origins: readonly [Origin, Origin]): string {
  const { before, after, changes } = difference;
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  return drawPicture({
    title: changes.length === 0 ? unchanged(difference) : 'What a change grants and revokes',
    notes: [`before: ${originOf(before, origins[0])}`, `after: ${originOf(after, origins[1])}`],
    panels: kinds.map((kind) => {
      const cells = changes.filter((change) => change.kind === kind).map((change) => cellsOf(change));
      const column = (title: string, index: number, colour: Colour, characters: number): Column => ({
        ...{ title, colour, characters },
        cells: cells.map((row) => ({ texts: [{ text: row[index] ?? '' }] })),
      });
      return {
        title: kind,
        sections: [
          {
            title: `${cells.length} ${cells.length === 1 ? 'change' : 'changes'}`,
            columns: [
              column('who', 0, 'blue', 36),
              column('identity', 1, 'green', 36),
              column('what', 2, colours[kind] ?? 'grey', 44),
              column('because', 3, 'grey', 44),
            ],
          },
        ],
      };
    }),
  });
}
