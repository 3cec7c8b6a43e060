import type { Box, Colour, Column, Layout, Line } from './columns';
import { fontSize, layoutColumns, widthOf } from './columns';
import { visibleLine } from '../../components/resource/visibleText';
import { brokenLines } from '../brokenLines';
import { escaped } from './escaped';

/** Columns under a title, or anything else that is laid out already. */
type Section = { readonly title: string } & (
  | { readonly columns: readonly Column[] }
  | {
      readonly layout: Layout;
      /** Describes the section in text, one line per row. */
      readonly description: readonly string[];
    }
);

export interface Panel {
  readonly title: string;
  readonly sections: readonly Section[];
}

export interface Picture {
  readonly title: string;
  /** Notes below the title, such as the source and time of the data. */
  readonly notes: readonly string[];
  readonly panels: readonly Panel[];
}

/** In pixels. */
const margin = 20;
const titleSize = 15;
const leastWidth = 480;

/** Fill and line colours of boxes, and other colours. The contrast of text is at least 4.5 to 1. */
type Palette = Record<Colour, readonly [fill: string, line: string]> &
  Record<'paper' | 'panel' | 'line' | 'ink' | 'quiet', string>;

const light: Palette = {
  ...{ paper: '#ffffff', panel: '#f6f8fb', line: '#b8c4d3', ink: '#1c2530', quiet: '#52606f' },
  blue: ['#eaf2ff', '#2f6fde'],
  yellow: ['#fff6e0', '#c98a00'],
  green: ['#e9f8ef', '#2e8b57'],
  grey: ['#ffffff', '#8795a5'],
};
const dark: Palette = {
  ...{ paper: '#0d1117', panel: '#161b22', line: '#3d4753', ink: '#e6edf3', quiet: '#a3b0bd' },
  blue: ['#14264a', '#5b93f0'],
  yellow: ['#33280c', '#c9981f'],
  green: ['#10301f', '#46a973'],
  grey: ['#1f262e', '#71808f'],
};

/** Draws a picture as a self-contained SVG document with light and dark colours. */
export function drawPicture({ title, notes, panels }: Picture): string {
  const laidOut = panels.map((panel) => ({
    title: panel.title,
    sections: panel.sections.map((section) => ({
      name: section.title,
      layout: 'layout' in section ? section.layout : layoutColumns(section.columns),
    })),
  }));
  const widths = laidOut.flatMap(({ sections }) => sections.map(({ layout }) => layout.width));
  const inner = Math.max(leastWidth, ...widths);
  const width = inner + 4 * margin;
  const panelAreas: string[] = [];
  const content: string[] = [];
  let y = margin;
  const head = (text: string, x: number, size: number, style = 'head'): void => {
    for (const line of brokenLines(visibleLine(text), Math.floor(inner / widthOf('m', size)))) {
      y += size;
      content.push(textOf({ text: line, x, y }, size, style));
      y += size / 2;
    }
  };
  head(title, margin, titleSize);
  for (const note of notes) head(note, margin, fontSize, 'quiet');
  for (const { title: name, sections } of laidOut) {
    y += margin / 2;
    const top = y;
    y += margin;
    head(name, 2 * margin, titleSize);
    for (const section of sections) {
      y += margin / 2;
      head(section.name, 2 * margin, fontSize);
      y += margin / 2;
      content.push(element('g', { transform: `translate(${2 * margin} ${y})` }, drawLayout(section.layout)));
      y += section.layout.height + margin;
    }
    panelAreas.push(rectangle('panel', { x: margin, y: top, width: width - 2 * margin, height: y - top }));
  }
  const height = y + margin;
  return `${element(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
      ...{ role: 'img', 'aria-labelledby': 'title description' },
    },
    [
      '',
      element('title', { id: 'title' }, escaped(title)),
      element('desc', { id: 'description' }, escaped([...notes, ...panels.flatMap(describe)].join('\n'))),
      `<style>\n${styles()}\n</style>`,
      '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>',
      rectangle('paper', { x: 0, y: 0, width, height }),
      ...panelAreas,
      ...content,
      '',
    ].join('\n'),
  )}\n`;
}

/** Describes the picture in text, one line per row. */
function describe({ title, sections }: Panel): string[] {
  return [
    `${title}:`,
    ...sections.flatMap((section) => {
      const { title: name } = section;
      if ('layout' in section) return section.description;
      const { columns } = section;
      const cells = columns.map((column) =>
        column.cells.flatMap((cell) => Array.from({ length: cell.rows ?? 1 }, () => cell)),
      );
      return (cells[0] ?? []).map((_, row) => {
        const texts = cells.map((column) => column[row]?.texts.map(({ text }) => text).join(', ') ?? '');
        return `${name}: ${texts.join(' → ')}`;
      });
    }),
  ];
}

function drawLayout({ titles, frames, boxes, arrows }: Layout): string {
  return [
    '',
    ...titles.map((line) => textOf(line)),
    ...frames.map((frame) => drawBox(frame, 'frame')),
    ...arrows.map(({ x, y, length }) => element('path', { d: `M${x} ${y}h${length}`, class: 'arrow' })),
    ...boxes.map((box) => drawBox(box, box.colour)),
    '',
  ].join('\n');
}

function drawBox({ lines, x, y, width, height }: Box, style: string): string {
  return [rectangle(style, { x, y, width, height }), ...lines.map((line) => textOf(line))].join('\n');
}

/** Draws a line of text, stretched to the expected width whatever font is used. */
function textOf(
  { text, x, y, quiet = false }: Line,
  size = fontSize,
  style = quiet ? 'quiet' : 'ink',
): string {
  const textLength = Math.round(widthOf(text, size) * 10) / 10;
  return element('text', { x, y, textLength, 'font-size': size, class: style }, escaped(text));
}

function rectangle(style: string, place: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>): string {
  return element('rect', { ...place, rx: style === 'paper' ? 0 : 6, class: style });
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return content === '' ? `<${name}${pairs.join('')}/>` : `<${name}${pairs.join('')}>${content}</${name}>`;
}

function styles(): string {
  return [
    'text { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; }',
    '.head { font-weight: 600; }',
    '.frame { stroke-dasharray: 4 3; }',
    rules(light),
    `@media (prefers-color-scheme: dark) {\n${rules(dark)}\n}`,
  ].join('\n');
}

function rules({ paper, panel, line, ink, quiet, ...boxes }: Palette): string {
  return [
    `svg { background: ${paper}; }`,
    `.paper { fill: ${paper}; }`,
    `.panel { fill: ${panel}; stroke: ${line}; }`,
    `.ink, .head { fill: ${ink}; }`,
    `.quiet, .tip { fill: ${quiet}; }`,
    `.arrow { stroke: ${quiet}; marker-end: url(#arrow); }`,
    `.frame { fill: none; stroke: ${line}; }`,
    ...Object.entries(boxes).map(
      ([name, [fill, stroke]]) => `.${name} { fill: ${fill}; stroke: ${stroke}; }`,
    ),
  ].join('\n');
}
