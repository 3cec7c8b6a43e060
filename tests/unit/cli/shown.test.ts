import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parsers } from 'prettier/plugins/markdown';
import { differenceInMarkdown } from '../../../cli/access/markdown';
import { accessPage } from '../../../cli/access/page';
import { driftInMarkdown } from '../../../cli/drift/markdown';
import { fittedTable, terminalWidth } from '../../../cli/fittedTable';
import { inJson } from '../../../cli/json';
import { escaped } from '../../../cli/picture/escaped';
import { shownInFence, shownInMarkdown } from '../../../cli/shownInMarkdown';
import { shownInLine, shownOnTerminal } from '../../../cli/shownOnTerminal';
import { readable } from '../../../stacks/access/readable';
import { visibleLine } from '../../../components/resource/visibleText';
import { projectRoot } from '../../support/command';

// What others wrote, in settings, Azure or a cluster, is shown as it is and does nothing. What these do not prove: that the
// browsers of GitHub and Azure DevOps read Markdown as the parser here does.

fc.configureGlobal({ seed: Number(process.env.AKS_WI_PROPERTY_SEED ?? 1), numRuns: 300 });

const nasty = fc.constantFrom(
  ...[
    '\n',
    '\r\n',
    '\t',
    '  \n',
    '\\',
    '\\|',
    '|',
    '`',
    '```',
    '~~~',
    '* ',
    '_a_',
    '**',
    '~~a~~',
    '# ',
    '---',
    '> ',
  ],
  ...[
    '1. ',
    '2) ',
    '- ',
    '+ ',
    '@team',
    '@org/team',
    '#1',
    'a/b#1',
    'dana@example.com',
    ':tada:',
    '$a$',
    '[^1]',
  ],
  ...[
    '<!-- a -->',
    '-->',
    '<b>',
    '</td>',
    '<img src=x onerror=y>',
    '&lt;',
    '&#64;',
    '<https://a.b>',
    '[a](b)',
  ],
  ...['![a](https://a.b)', '[a]: b', 'https://a.b/c', 'www.a.b', '{{ a }}', '{% a %}', '[[a]]', '\u001B[31m'],
  ...[
    '\u001B[8m',
    '\u001B]0;a\u0007',
    '\u009B2J',
    '\u202E',
    '\u200B',
    '\uFEFF',
    '\u2028',
    '\uD800',
    '\u0000',
  ],
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ maxLength: 3 }), fc.string({ unit: 'grapheme', maxLength: 3 })), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

const parsed = async (markdown: string): Promise<readonly Node[]> => {
  const { parse } = parsers.markdown as { parse: (text: string, options: object) => unknown };
  return ((await parse(markdown, {})) as Node).children ?? [];
};
const textIn = ({ value = '', children = [], type }: Node): string =>
  type === 'html' ? '' : value + children.map(textIn).join('');
/** The types in a node but those of plain text, and of the elements around signs that would mention somebody. */
const markupIn = (node: Node): string[] => [
  ...(node.type === 'text' || (node.type === 'html' && /^<\/?span>$/.test(node.value ?? ''))
    ? []
    : [node.type]),
  ...(node.children ?? []).flatMap(markupIn),
];
/** As Markdown shows a text: white space of any length is one blank. */
const flat = (foreign: string) => visibleLine(foreign).replace(/\s+/g, ' ').trim();

describe('foreign text in Markdown', () => {
  const none = { trusts: 0, grants: 0, groups: 0, readers: 0 };

  it('is one cell of a comment, with nothing in it but the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ stack: text, who: text, identity: text, what: text, why: text }),
        async ({ stack, who, identity, what, why }) => {
          const change = { kind: 'gained', who: [who], identities: [identity], what: [what], why } as const;
          const counts = { before: none, after: none };
          const comment = differenceInMarkdown({ before: stack, after: stack, changes: [change], counts });

          const [marker, title, count, table, ...more] = await parsed(comment);
          expect([marker, title, count, table].map((token) => token?.type)).toEqual([
            'html',
            'heading',
            'paragraph',
            'table',
          ]);
          expect(more).toEqual([]);
          const [, row, ...others] = table?.children ?? [];
          expect(others).toEqual([]);
          const cells = row?.children ?? [];
          expect(cells.slice(1).map((cell) => flat(textIn(cell)))).toEqual(
            [who, identity, what, why].map(readable).map(flat),
          );
          expect(cells.slice(1).map(markupIn)).toEqual(cells.slice(1).map(() => ['tableCell']));
          expect(markupIn(title ?? { type: 'none' })).toEqual(['heading']);
          expect(comment.match(/<!--/g)).toEqual(['<!--']);
        },
      ),
    );
  });

  it('mentions nobody and no issue, and is no link, by what GitHub looks for in texts', () => {
    fc.assert(
      fc.property(text, (foreign) => {
        expect(shownInMarkdown(foreign)).not.toMatch(/@|(?<!&)#|(?<!\\):|(?<!\\)\.\S|`/);
      }),
    );
  });

  it('is a line of a report of drift', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ stack: text, on: text, what: text, removal: text, note: text }),
        async (foreign) => {
          const { stack, note, ...added } = foreign;
          const drift = [{ change: 'added' as const, ...added }];
          const blocks = await parsed(driftInMarkdown({ stack, drift, notes: [`Note: ${note}`] }));

          expect(blocks.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'list', 'blockquote']);
          expect(blocks.map(markupIn)).toEqual([
            ['heading'],
            ['paragraph'],
            [
              ...['list', 'listItem', 'paragraph', 'strong', 'inlineCode'],
              ...['list', 'listItem', 'paragraph', 'inlineCode'],
            ],
            ['blockquote', 'paragraph'],
          ]);
          expect(flat(textIn(blocks[3] ?? { type: 'none' }))).toBe(flat(`Note: ${note}`));
        },
      ),
    );
  });

  it('stays in a block of code', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (foreign) => {
        const blocks = await parsed(`\`\`\`\n${shownInFence(foreign)}\n\`\`\`\n\nafter\n`);
        expect(blocks.map(({ type }) => type)).toEqual(['code', 'paragraph']);
      }),
    );
  });
});

describe('foreign text on a terminal', () => {
  const colours = /\u001B\[(?:1|2|22|3[1-6]|39)m/g;
  const shows = (output: string) => {
    expect(output.replace(colours, '').replace(/[\n\t]/g, '')).not.toMatch(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
    );
  };

  it('is written with all its characters, and keeps the colours of the command', () => {
    fc.assert(
      fc.property(text, (foreign) => {
        shows(shownOnTerminal(foreign).replaceAll('\r\n', '\n'));
      }),
    );
    expect(shownOnTerminal('\u001B[31mred\u001B[39m\n')).toBe('\u001B[31mred\u001B[39m\n');
    expect(shownOnTerminal('\u001B[8mhidden')).toBe('\\u{001b}[8mhidden');
  });

  it('is on one line', () => {
    fc.assert(
      fc.property(text, (foreign) => {
        expect(shownInLine(foreign)).not.toMatch(/[\n\t]/);
        shows(shownInLine(foreign));
      }),
    );
    expect(shownInLine('\u001B[31ma\nb\u001B[32mc\u001B[39m')).toBe('\u001B[31ma b\\u{001b}[32mc\u001B[39m');
  });

  it('is one row of a table', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const lines = fittedTable(['a', 'b'], [[one, other]], [], 80).split('\n');
        expect(lines).toHaveLength(5);
        lines.forEach(shows);
      }),
    );
  });

  it('is in one line of a table that is piped or written to a file, however long', () => {
    const { isTTY, columns } = process.stdout;
    try {
      Object.assign(process.stdout, { isTTY: false, columns: 40 });
      const words = 'secret-of-an-application '.repeat(20).trim();
      expect(fittedTable(['a'], [[words]], [0], terminalWidth())).toContain(words);
      Object.assign(process.stdout, { isTTY: true });
      expect(terminalWidth()).toBe(40);
    } finally {
      Object.assign(process.stdout, { isTTY, columns });
    }
  });

  it('says in JSON what it is', () => {
    fc.assert(
      fc.property(text, (foreign) => {
        const json = inJson({ [foreign]: foreign });
        shows(json);
        expect(JSON.parse(json)).toEqual({ [foreign]: foreign });
      }),
    );
  });

  it('goes there by one module only', () => {
    const files = readdirSync(path.join(projectRoot, 'cli'), { recursive: true, encoding: 'utf8' });
    const writing = files.filter(
      (file) =>
        /^(?!node_modules).*\.ts$/.test(file) &&
        /process\.std(out|err)\.write\(|console\./.test(
          readFileSync(path.join(projectRoot, 'cli', file), 'utf8'),
        ),
    );
    // `main.ts` writes what `reportError` made safe.
    expect(writing.sort()).toEqual(['main.ts', 'print.ts']);
  });
});

describe('foreign text in HTML and SVG', () => {
  it('is text', () => {
    fc.assert(
      fc.property(text, (foreign) => {
        expect(escaped(foreign)).not.toMatch(/[<>"]|&(?!(amp|lt|gt|quot);)|[^\P{C}\n]/u);
      }),
    );
  });

  it('adds no element to the page', () => {
    const none = { trusts: 0, grants: 0, groups: 0, readers: 0 };
    const pageOf = (foreign: string) =>
      accessPage(
        {
          ...{ environment: foreign, unread: [], readers: [], counts: none },
          identities: [
            {
              ...{ key: foreign, name: foreign },
              subjects: [{ key: foreign, text: foreign, cluster: foreign }],
              targets: [{ key: foreign, text: foreign, because: foreign }],
            },
          ],
        },
        { from: 'planned', at: new Date(0) },
      );
    const elements = (page: string) => page.match(/<[^>]*>/g);
    fc.assert(
      fc.property(text, (foreign) => {
        expect(elements(pageOf(`x${foreign}`))).toEqual(elements(pageOf('x')));
      }),
    );
  });
});
