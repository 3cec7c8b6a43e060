import type { Access } from '../../stacks/access/model';
import type { Cell, Column } from '../picture/columns';
import { drawPicture } from '../picture/svg';
import type { AlikeEntries } from './alike';
import { alike } from './alike';

/** Draws who reads which secrets and has which roles, under which service accounts and as which identity: an SVG document with a panel for each cluster. */
export function accessPicture({ environment, entries }: Access): string {
  const clusters = [...new Set(entries.map(({ cluster }) => cluster))];
  return drawPicture({
    title:
      entries.length === 0
        ? `Nobody can read a secret in ${environment}`
        : `Who can read what in ${environment}`,
    panels: clusters.map((cluster) => ({
      title: cluster,
      sections: [
        { title: 'Applications', columns: columnsOf(entries.filter((one) => one.cluster === cluster)) },
      ],
    })),
  });
}

function columnsOf(entries: Access['entries']): Column[] {
  const rows = alike(entries);
  const readers = [...new Set(rows.map(({ first }) => first.reader))].map((reader) =>
    rows.filter(({ first }) => first.reader === reader),
  );
  // A box beside all rows of its reader.
  const ofReader = (textsOf: (row: AlikeEntries) => readonly string[]): Cell[] =>
    readers.flatMap((own) =>
      own.slice(0, 1).map((row) => ({
        texts: textsOf(row).map((text) => ({ text })),
        ...(own.length > 1 && { rows: own.length }),
      })),
    );
  return [
    { title: 'who', colour: 'blue', characters: 28, cells: ofReader(({ first }) => [first.reader]) },
    {
      ...{ title: 'service accounts', colour: 'grey', characters: 36 },
      cells: ofReader(({ first }) => orNone(first.serviceAccounts)),
    },
    {
      ...{ title: 'identity', colour: 'green', characters: 36 },
      cells: ofReader(({ first }) => orNone(first.identities)),
    },
    {
      ...{ title: 'what', colour: 'grey', characters: 44 },
      cells: rows.map(({ first, granted }) => ({
        ...(first.overreach && { colour: 'yellow' as const }),
        texts: [
          { text: first.overreach ? `not named by it: ${first.because}` : first.because, quiet: true },
          ...granted.map((text) => ({ text })),
        ],
      })),
    },
  ];
}

const orNone = (texts: readonly string[]): readonly string[] => (texts.length === 0 ? ['none'] : texts);
