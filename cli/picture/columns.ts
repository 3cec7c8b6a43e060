import { visibleLine } from '../../stacks/offline';
import { brokenLines } from '../brokenLines';

/** In pixels. */
export const fontSize = 12;
const lineHeight = 16;
const padding = 10;
const betweenTexts = 4;
const betweenRows = 10;
const betweenColumns = 28;

/** Width of a text in a font whose characters all have the same width. */
export function widthOf(text: string, size = fontSize): number {
  return text.length * size * 0.6;
}

export type Colour = 'blue' | 'yellow' | 'green' | 'grey';

export interface Text {
  readonly text: string;
  /** In a colour that says less. */
  readonly quiet?: boolean;
}

/** A box with texts below each other. */
export interface Cell {
  readonly texts: readonly Text[];
  /** Its own colour; undefined: that of the column. */
  readonly colour?: Colour;
  /** How many rows it fills; undefined: it is as high as its texts, in the middle of one row. */
  readonly rows?: number;
}

export interface Column {
  readonly title: string;
  readonly colour: Colour;
  /** Characters of the longest line: longer texts are broken. */
  readonly characters: number;
  /** From the first row to the last. */
  readonly cells: readonly Cell[];
  /** What the boxes are in: the text of a frame around them. */
  readonly frame?: string;
}

/** A line of a text; `y` is that of its base. */
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

/** Where everything is, in pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly titles: readonly Line[];
  readonly frames: readonly Box[];
  readonly boxes: readonly Box[];
  /** Each to the right. */
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
        const room = (rows[last]?.bottom ?? 0) - from;
        const height = fills ? room : needed;
        const y = from + (room - height) / 2;
        const down = y + (height - needed) / 2;
        return {
          ...{ x, y, width, height, colour: own },
          lines: lines.map((line) => ({ ...line, x: x + line.x, y: down + line.y })),
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

/** The cells with their rows and their lines, and the width that all of them have. */
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

/** Of each row; the last row of a cell that fills several is as high as that needs. */
function rowHeights(cells: readonly MeasuredCell[]): number[] {
  const heights = Array.from({ length: Math.max(...cells.map(({ last }) => last)) + 1 }, (_, row) =>
    Math.max(0, ...cells.filter((cell) => !cell.fills && cell.first === row).map(({ height }) => height)),
  );
  for (const { first, last, height } of cells) {
    const room = heights.slice(first, last + 1).reduce((sum, one) => sum + one + betweenRows, -betweenRows);
    heights[last] = (heights[last] ?? 0) + Math.max(0, height - room);
  }
  return heights;
}
