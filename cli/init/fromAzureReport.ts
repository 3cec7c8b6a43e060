import pc from 'picocolors';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { shownInLine } from '../shownOnTerminal';
import type { Finding } from './fromAzureFound';
import type { PlannedFile } from './fromAzurePlan';

/** The result of the command, as `--json` prints it. */
export interface Report {
  readonly file: string;
  readonly written: boolean;
  /** The text of the stack file. */
  readonly text: string;
  /** Problems that `aks-wi validate` would report in it. */
  readonly problems: readonly string[];
  readonly findings: readonly Finding[];
  /** Commands to run next, in sentences. */
  readonly next: readonly string[];
}

export function renderReport(
  { file, problems, findings, next }: Report,
  { clusters, applications }: PlannedFile['settings'],
): string {
  return [
    pc.bold(`${file}: ${counted(clusters, 'cluster')}, ${counted(applications, 'application')}`),
    ...applications.map(
      (application) => `  ${shownInLine(`${application.name} on ${application.clusters.join(', ')}`)}`,
    ),
    ...problems.map((problem) => `${pc.red('✗')} ${shownInLine(problem)}`),
    ...findings.flatMap(({ what, problem, hint }) => [
      `${pc.yellow('!')} ${shownInLine(`${what} ${problem}`)}.`,
      `  → ${shownInLine(hint)}`,
    ]),
    ...next.map((step) => `→ ${shownInLine(step)}`),
    '',
  ].join('\n');
}

const counted = ({ length }: readonly unknown[], noun: string) =>
  `${length} ${noun}${length === 1 ? '' : 's'}`;

/**
 * Returns the commands from the file to the first update.
 * @param file stack file, if it is not Pulumi.<stack>.yaml
 */
export function nextSteps(
  { stack, file }: { readonly stack: string; readonly file?: string },
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  // The local cloud creates its stacks itself.
  const isLocal = env[ownVariables.pulumi] !== undefined;
  const [ofImport, ofPulumi] = file === undefined ? ['', ''] : [` --file ${file}`, ` --config-file ${file}`];
  return [
    'Read the file, and correct it where the points above apply.',
    ...(isLocal ? [] : [`\`pulumi stack init ${stack}\` creates the stack.`]),
    `\`npx aks-wi import --stack ${stack}${ofImport}${isLocal ? ' --local' : ''}\` takes the federated credentials and the grants of the file into the stack. Azure is only read.`,
    `\`pulumi preview --diff --stack ${stack}${isLocal ? '' : ofPulumi}\` then shows the first update. It adds the tenant to the annotations of the service accounts, creates an identity without trust and access for each cluster that has none of its own in the file, and changes nothing else in Azure or the clusters.`,
  ];
}
