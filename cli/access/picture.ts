import type { Access } from '../../stacks/access/reach';
import type { AccessRow } from '../../stacks/access/rows';
import { rowsOf } from '../../stacks/offline';
import type { Cell, Column } from '../picture/columns';
import { drawPicture } from '../picture/svg';

/** Draws who reads which secrets and has which roles, under which service accounts and as which identity: an SVG document with a panel for each cluster. */
export function accessPicture(access: Access): string {
  const { environment } = access;
  const all = rowsOf(access);
  const clusters = [...new Set(all.map(({ cluster }) => cluster))];
  return drawPicture({
    title:
      all.length === 0 ? `Nobody can use anything in ${environment}` : `Who can use what in ${environment}`,
    panels: clusters.map((cluster) => ({
      title: cluster === '' ? 'on no cluster' : cluster,
      sections: [{ title: 'Readers', columns: columnsOf(all.filter((one) => one.cluster === cluster)) }],
    })),
  });
}

function columnsOf(rows: readonly AccessRow[]): Column[] {
  const byReader = new Map<string, AccessRow[]>();
  for (const one of rows) byReader.set(one.reader, [...(byReader.get(one.reader) ?? []), one]);
  const readers = [...byReader.values()];
  // A box beside all rows of its reader.
  const ofReader = (textsOf: (row: AccessRow) => readonly string[]): Cell[] =>
    readers.flatMap((own) =>
      own.slice(0, 1).map((row) => ({
        texts: textsOf(row).map((text) => ({ text })),
        ...(own.length > 1 && { rows: own.length }),
      })),
    );
  return [
    { title: 'who', colour: 'blue', characters: 28, cells: ofReader(({ reader }) => [reader]) },
    {
      ...{ title: 'service accounts', colour: 'grey', characters: 36 },
      cells: ofReader(({ subjects }) => orNone(subjects)),
    },
    {
      ...{ title: 'identity', colour: 'green', characters: 36 },
      cells: ofReader(({ identity }) => [identity]),
    },
    {
      ...{ title: 'what', colour: 'grey', characters: 44 },
      cells: rows.map(({ overreach, because, what }) => ({
        ...(overreach > 0 && { colour: 'yellow' as const }),
        texts: [
          { text: overreach > 0 ? `not named by it: ${because}` : because, quiet: true },
          ...what.map((text) => ({ text })),
          ...(overreach > what.length ? [{ text: `and ${overreach - what.length} more` }] : []),
        ],
      })),
    },
  ];
}

const orNone = (texts: readonly string[]): readonly string[] => (texts.length === 0 ? ['none'] : texts);
