import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { accessDifference, clock } from '../../stacks/offline';
import { UserError } from '../userError';
import { differenceInMarkdown } from './markdown';
import { accessPage } from './page';
import { accessPicture, differencePicture } from './picture';
import { deployedAccess } from '../deployedAccess';
import { accessBy, accessBySettings, sourceOf } from './sources';
import { renderAccess, renderDifference } from './table';
import { print } from '../print';
import { inJson } from '../json';

interface AccessFlags {
  stack?: string;
  deployed: boolean;
  diff?: string[];
  json: boolean;
  markdown: boolean;
  failOn?: string[];
  svg?: string;
  html?: string;
}

/** Exit code of a comparison that finds one of the kinds of `--fail-on`. */
const found = 2;
const failingKinds = ['gained', 'widened', 'not-judged'];

export function accessCommand(): Command {
  return new Command('access')
    .description('show who can use which secret and role and why, and what of it a change gives and takes')
    .option('--stack <name>', 'stack whose settings are read')
    .option('--deployed', 'show what that stack has deployed, in place of what its settings say', false)
    .addOption(
      new Option(
        '--diff <sides...>',
        'compare two, the earlier one first: a file written with --json or with `pulumi preview --json --show-sames`, a stack file, or a deployed stack by its name',
      ).conflicts(['stack', 'deployed', 'html']),
    )
    .option('--json', 'print {"environment","identities",…}, or {"before","after","changes","counts"}', false)
    .addOption(
      new Option('--markdown', 'print a comparison as a comment for a pull request')
        .conflicts('json')
        .default(false),
    )
    .addOption(
      new Option(
        '--fail-on <kinds...>',
        `end a comparison with exit code ${found} if it finds one of these kinds`,
      )
        .choices(failingKinds)
        .conflicts(['stack', 'deployed']),
    )
    .option('--svg <file>', 'also draw a picture into this file')
    .option('--html <file>', 'also write a page for a browser, with a filter, into this file')
    .action(async (flags: AccessFlags) => {
      print(flags.diff === undefined ? await shown(flags) : await compared(flags.diff, flags));
    });
}

async function shown({ stack, deployed, json, markdown, svg, html }: AccessFlags): Promise<string> {
  if (stack === undefined) {
    throw new UserError(
      'It is not said whose access is shown.',
      'Name a stack with --stack, or two to compare with --diff.',
    );
  }
  if (markdown) throw new UserError('--markdown is for comparisons.', 'Add --diff, or take --json.');
  const access = deployed
    ? await deployedAccess({ name: stack, cwd: process.cwd() })
    : await accessBySettings(stack);
  const origin = { from: deployed ? ('deployed' as const) : ('planned' as const), at: clock(process.env) };
  if (svg !== undefined) write(svg, accessPicture(access, origin));
  if (html !== undefined) write(html, accessPage(access, origin));
  return json ? inJson(access) : renderAccess(access);
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UserError(
      `${file} cannot be written: ${(error as Error).message}.`,
      'Name a file in a folder that exists.',
    );
  }
}

async function compared(sides: readonly string[], flags: AccessFlags): Promise<string> {
  const [earlier, later, ...more] = sides;
  if (earlier === undefined || later === undefined || more.length > 0) {
    throw new UserError(
      `--diff compares two; it has ${sides.join(', ')}.`,
      'For example: `aks-wi access --diff dev Pulumi.dev.yaml`, what the settings would change in what is deployed.',
    );
  }
  const [before, after] = await accessBy([earlier, later]);
  const difference = accessDifference(before, after);
  const failing = difference.changes.some(({ kind }) => flags.failOn?.includes(kind.replace(' ', '-')));
  if (failing) process.exitCode = found;
  const origin = (side: string) => ({ from: sourceOf(side), at: clock(process.env) });
  if (flags.svg !== undefined)
    write(flags.svg, differencePicture(difference, [origin(earlier), origin(later)]));
  if (flags.json) return inJson(difference);
  return flags.markdown ? differenceInMarkdown(difference) : renderDifference(difference);
}
