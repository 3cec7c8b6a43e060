import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './command';

export interface DocumentedCommand {
  readonly page: string;
  /** The command without its comment. */
  readonly command: string;
  /** Whether it is in a block of commands, and not in prose. */
  readonly inBlock: boolean;
  /** Earlier lines of the same block that set something in the shell (`export`, `eval`). */
  readonly settings: readonly string[];
}

const programs = '(?:npx aks-wi|make|npm|node|pulumi|kubectl|az|go|helm|docker|git|cat|tar|export|eval)';
const inProse = new RegExp(`^(?:[A-Z_]+=\\S+ )?${programs} \\S`);
/** Text that a command reads up to the line END. */
const hereDocument = /<< 'END'\n[\s\S]*?\nEND$/gm;
const lineOfText = '\u2028';
const setting = /^(?:export|eval) /;

/** Matches a block of commands, another block, a line of an indented block, or code in prose. */
const code = /^( *)```(sh|console)\n([\s\S]*?)^ *```$|^ *```[\s\S]*?^ *```$|(?<=\n\n) {4}(\S.*)$|`([^`]+)`/gm;

/** Returns the commands in the order of the page: those in blocks, and those in prose that have an argument. */
export function commandsOf(page: string): DocumentedCommand[] {
  const text = readFileSync(path.join(projectRoot, page), 'utf8');
  return [...text.matchAll(code)].flatMap(
    ([, , language, block = '', indented, inline]): DocumentedCommand[] => {
      if (language === undefined) {
        const command = (indented ?? inline ?? '').replace(/\s+/g, ' ').replaceAll('\\|', '|');
        return inProse.test(command) ? [{ page, command, inBlock: false, settings: [] }] : [];
      }
      const lines = block
        .replaceAll('\\\n', ' ')
        .replaceAll(hereDocument, (text) => text.replaceAll('\n', lineOfText))
        .split('\n')
        .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
        .filter((line) => line !== '');
      return lines.map((command, index) => ({
        ...{ page, command: command.replaceAll(lineOfText, '\n'), inBlock: true },
        settings: lines.slice(0, index).filter((line) => setting.test(line)),
      }));
    },
  );
}

/** Pages of the documentation: README.md first, then those in docs/. */
export const documentationPages = [
  'README.md',
  ...readdirSync(path.join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];
