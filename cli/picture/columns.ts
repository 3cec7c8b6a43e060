import { visibleLine } from '../../components/resource/visibleText';
import { brokenLines } from '../brokenLines';

/** In pixels. */
export const fontSize = 12;
const lineHeight = 16;
const padding = 10;
const betweenTexts = 4;
const betweenRows = 10;
const betweenColumns = 28;

/** Returns the width of a text in a monospaced font. */
export function widthOf(text: string, size = fontSize): number {
  return text.length * size * 0.6;
}

export type Colour = 'blue' | 'yellow' | 'green' | 'grey';

export interface Text {
  readonly text: string;
  /** Drawn in a muted colour. */
  readonly quiet?: boolean;
}

/** A box with texts one below the other. */
export interface Cell {
  readonly texts: readonly Text[];
  /** Default: the column's colour. */
  readonly colour?: Colour;
  /** Number of rows that it fills. Default: as high as its texts, in the middle of one row. */
  readonly rows?: number;
}

export interface Column {
  readonly title: string;
  readonly colour: Colour;
  /** Characters per line: longer texts are wrapped. */
  readonly characters: number;
  /** From the first row to the last. */
  readonly cells: readonly Cell[];
  /** Title of a frame around the boxes. */
  readonly frame?: string;
}

/** A line of text; `y` is its baseline. */
export interface Line extends Text {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: Colour;
  readonly lines: readonly Line[];
}

/** Positions of all elements, in pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly titles: readonly Line[];
  readonly frames: readonly Box[];
  readonly boxes: readonly Box[];
  /** They point to the right. */
  readonly arrows: readonly { readonly x: number; readonly y: number; readonly length: number }[];
}

/** Lays out boxes in columns and rows. An arrow leads from each box to the next one in the row. */
export function layoutColumns(columns: readonly Column[]): Layout {
  const measured = columns.map(measure);
  const heights = rowHeights(measured.flatMap(({ cells }) => cells));
  const inFrame = measured.some(({ frame }) => frame !== undefined) ? padding : 0;
  const framesTop = lineHeight + padding;
  let top = inFrame === 0 ? framesTop : framesTop + lineHeight + 2 * padding;
  const rows = heights.map((height) => {
    const row = { top, bottom: top + height };
    top = row.bottom + betweenRows;
    return row;
  });
  const bottom = top - betweenRows + inFrame;
  let right = -betweenColumns;
  const placed = measured.map(({ title, colour, frame, cells, width }) => {
    const around = frame === undefined ? 0 : padding;
    const left = right + betweenColumns;
    const x = left + around;
    right = x + width + around;
    return {
      title: { text: title, quiet: true, x: left, y: fontSize },
      ...{ x, width },
      frames:
        frame === undefined
          ? []
          : [
              {
                ...{ x: left, y: framesTop, width: right - left, height: bottom - framesTop, colour },
                lines: [{ text: frame, x, y: framesTop + padding + fontSize }],
              },
            ],
      boxes: cells.map(({ first, last, fills, lines, height: needed, colour: own = colour }): Box => {
        const from = rows[first]?.top ?? 0;
        const available = (rows[last]?.bottom ?? 0) - from;
        const height = fills ? available : needed;
        const y = from + (available - height) / 2;
        const textTop = y + (height - needed) / 2;
        return {
          ...{ x, y, width, height, colour: own },
          lines: lines.map((line) => ({ ...line, x: x + line.x, y: textTop + line.y })),
        };
      }),
    };
  });
  return {
    width: right,
    height: bottom,
    titles: placed.map(({ title }) => title),
    frames: placed.flatMap(({ frames }) => frames),
    boxes: placed.flatMap(({ boxes }) => boxes),
    arrows: placed.slice(1).flatMap((column, index) => {
      const before = placed[index] ?? column;
      const x = before.x + before.width;
      return rows.map((row) => ({ x, y: (row.top + row.bottom) / 2, length: column.x - x }));
    }),
  };
}

/** Returns the cells with their rows and lines, and their common width. */
function measure(column: Column) {
  let row = 0;
  const cells = column.cells.map(({ texts, colour, rows = 1 }) => {
    const first = row;
    row += rows;
    let y = padding - betweenTexts;
    const lines = texts.flatMap(({ text, quiet }) => {
      y += betweenTexts;
      return brokenLines(visibleLine(text), column.characters).map((line): Line => {
        y += lineHeight;
        return { text: line, quiet: quiet ?? false, x: padding, y: y - (lineHeight - fontSize) };
      });
    });
    return { first, last: row - 1, fills: rows > 1, lines, colour, height: y + padding };
  });
  const widths = cells.flatMap(({ lines }) => lines.map(({ text }) => widthOf(text) + 2 * padding));
  return {
    ...column,
    cells,
    width: Math.ceil(Math.max(widthOf(column.title), widthOf(column.frame ?? ''), ...widths)),
  };
}

type MeasuredCell = ReturnType<typeof measure>['cells'][number];

/** Returns the heights of the rows. If a cell that fills several rows needs more, the last of them grows. */
function rowHeights(cells: readonly MeasuredCell[]): number[] {
  const heights = Array.from({ length: Math.max(...cells.map(({ last }) => last)) + 1 }, (_, row) =>
    Math.max(0, ...cells.filter((cell) => !cell.fills && cell.first === row).map(({ height }) => height)),
  );
  for (const { first, last, height } of cells) {
    const available = heights
      .slice(first, last + 1)
      .reduce((sum, rowHeight) => sum + rowHeight + betweenRows, -betweenRows);
    heights[last] = (heights[last] ?? 0) + Math.max(0, height - available);
  }
  return heights;
}
