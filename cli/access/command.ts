import path from 'node:path';
import { Command, Option } from 'commander';
import { accessDifference } from '../../stacks/access/difference';
import { clock } from '../../stacks/settings/clock';
import { example } from '../example';
import { chosenStackFile, findProject } from '../project';
import { fileWithoutStack, stackFileOption } from '../stackFileOption';
import { UserError } from '../userError';
import { differenceInMarkdown } from './markdown';
import { accessPage } from './page';
import { accessPicture, differencePicture } from './picture';
import { deployedAccess } from '../deployedAccess';
import { accessBy, accessBySettings, sourceOf } from './sources';
import { renderAccess, renderDifference } from './table';
import { print } from '../print';
import { inJson } from '../json';
import { writeOut } from '../writeOut';
import { exitCodes } from '../exitCodes';

interface AccessFlags {
  stack?: string;
  file?: string;
  deployed: boolean;
  diff?: string[] | true;
  json: boolean;
  markdown: boolean;
  failOn?: string[];
  svg?: string;
  html?: string;
}

const failingKinds = ['gained', 'widened', 'not-judged'];

export function accessCommand(): Command {
  return new Command('access')
    .option('--stack <name>', 'name of the stack')
    .addOption(stackFileOption().conflicts('deployed'))
    .option('--deployed', 'show what the stack has deployed instead of what its settings say', false)
    .addOption(
      new Option(
        '--diff [sides...]',
        'compare two sides, the earlier one first. A side is a file written with --json or with `pulumi preview --json --show-sames`, a stack file, or the name of a deployed stack. Default: what --stack has deployed, and its settings',
      ).conflicts(['deployed', 'html']),
    )
    .option(
      '--json',
      'print JSON: {"environment","identities",…}, or {"before","after","changes","counts"}',
      false,
    )
    .addOption(
      new Option('--markdown', 'print Markdown (a comparison, as a comment for a pull request)')
        .conflicts('json')
        .default(false),
    )
    .addOption(
      new Option(
        '--fail-on <kinds...>',
        `exit with ${exitCodes.access.found} if the comparison finds one of these kinds`,
      )
        .choices(failingKinds)
        .conflicts('deployed'),
    )
    .option('--svg <file>', 'also write a picture to this SVG file')
    .option('--html <file>', 'also write an HTML page with a filter to this file')
    .addHelpText('after', example('access --diff dev Pulumi.dev.yaml'))
    .action(async (flags: AccessFlags) => {
      print(flags.diff === undefined ? await shown(flags) : await compared(sidesOf(flags), flags));
    });
}

async function shown({
  stack,
  file,
  deployed,
  json,
  markdown,
  failOn,
  svg,
  html,
}: AccessFlags): Promise<string> {
  if (stack === undefined) {
    throw new UserError(
      'No stack is named.',
      'Name a stack with --stack, or two sides to compare with --diff.',
    );
  }
  if (markdown) throw new UserError('--markdown is only for comparisons.', 'Add --diff, or use --json.');
  if (failOn !== undefined) throw new UserError('--fail-on is only for comparisons.', 'Add --diff.');
  const access = deployed
    ? await deployedAccess({ name: stack, cwd: process.cwd() })
    : await accessBySettings(stack, { file });
  const origin = { from: deployed ? ('deployed' as const) : ('planned' as const), at: clock(process.env) };
  if (svg !== undefined) writeOut(svg, accessPicture(access, origin));
  if (html !== undefined) writeOut(html, accessPage(access, origin));
  return json ? inJson(access) : renderAccess(access);
}

/** Returns the two sides to compare, the earlier one first. */
function sidesOf({ stack, file, diff }: AccessFlags): [earlier: string, later: string] {
  if (diff === true && stack !== undefined) {
    const project = findProject(process.cwd());
    return [stack, path.join(project, chosenStackFile(project, path.posix.basename(stack), file).file)];
  }
  if (stack !== undefined)
    throw new UserError(
      '--diff compares either the sides that it names or the stack of --stack.',
      'Use one.',
    );
  if (file !== undefined) throw fileWithoutStack('Add --stack NAME, or name the file as a side of --diff.');
  const sides = Array.isArray(diff) ? diff : [];
  const [earlier, later, ...more] = sides;
  if (earlier === undefined || later === undefined || more.length > 0) {
    throw new UserError(
      `--diff compares two sides, but got: ${sides.join(', ') || 'none'}.`,
      'For example, `aks-wi access --diff dev Pulumi.dev.yaml`, or in short `aks-wi access --stack dev --diff`, shows what the settings would change in the deployed stack.',
    );
  }
  return [earlier, later];
}

async function compared([earlier, later]: [string, string], flags: AccessFlags): Promise<string> {
  const [before, after] = await accessBy([earlier, later], flags.stack && path.posix.basename(flags.stack));
  const difference = accessDifference(before, after);
  const failing = difference.changes.some(({ kind }) => flags.failOn?.includes(kind.replace(' ', '-')));
  if (failing) process.exitCode = exitCodes.access.found;
  const origin = (side: string) => ({ from: sourceOf(side), at: clock(process.env) });
  if (flags.svg !== undefined)
    writeOut(flags.svg, differencePicture(difference, [origin(earlier), origin(later)]));
  if (flags.json) return inJson(difference);
  return flags.markdown ? differenceInMarkdown(difference) : renderDifference(difference);
}
