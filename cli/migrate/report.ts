import pc from 'picocolors';
import { shownInLine } from '../shownOnTerminal';
import { fittedTable, terminalWidth } from '../fittedTable';
import type { Candidate, Migration } from './plan';
import { labelOf } from './plan';
import { listCommand } from './objects';
import { isMadeAnew } from './review';
import type { Progress } from './steps';

/** A workload, and how far its migration is. */
export interface Migrated {
  readonly candidate: Candidate;
  readonly progress: Progress;
  /** Name of the application of the stack that it is. */
  readonly application?: string | undefined;
}

const titles = ['workload', 'identity', '1 both ways', '2 switched', '3 ready', '4 removed'];

const said = (done: boolean | undefined): string =>
  done === undefined ? '?' : done ? pc.green('done') : pc.yellow('to do');

const isNothingFound = ({ candidates, obstacles, unused, assigned, uninstall }: Migration): boolean =>
  [candidates, obstacles, unused].every(({ length }) => length === 0) &&
  assigned === 0 &&
  uninstall === undefined;

/** Whether nothing of aad-pod-identity is left. Of files it is never known. */
export const isDone = (migration: Migration): boolean =>
  isNothingFound(migration) && migration.unchecked.length === 0;

/** Before a trust is made. No check of this command answers it. */
const askOwners =
  'Ask who owns each identity before its trust is made: who may write AzureIdentity and AzureAssignedIdentity can name any, as if it were assigned.';

/** @param terminal width of the terminal */
export function renderMigration(
  where: string,
  migration: Migration,
  migrated: readonly Migrated[],
  terminal = terminalWidth(),
): string {
  const { obstacles, unused, exceptions, unchecked } = migration;
  const rows = migrated.map(({ candidate, progress: { prepared, switched, ready } }) => [
    ...[labelOf(candidate), candidate.identity.name],
    ...[prepared, switched, ready, false].map(said),
  ]);
  return [
    pc.bold(`aad-pod-identity in ${where}`),
    ...(rows.length === 0 ? [] : [fittedTable(titles, rows, [0, 1], terminal)]),
    ...obstacles.flatMap(({ what, problem, remedy }) => [
      `${pc.red('✗')} ${shownInLine(`${what} ${problem}`)}.`,
      `  → ${shownInLine(remedy)}`,
    ]),
    ...unused.map(
      (one) => `${pc.yellow('!')} ${shownInLine(one)} selects no pod of its namespace: delete it in step 4.`,
    ),
    ...exceptions.map(
      (one) =>
        `${pc.dim('-')} ${shownInLine(one)} goes with the chart: workload identity needs no exceptions.`,
    ),
    ...unchecked.map((one) => `${pc.yellow('!')} ${shownInLine(one)}`),
    ...nextSteps(migration, migrated).map((line) => `→ ${shownInLine(line)}`),
    '',
  ].join('\n');
}

/** What is to be done now: the first step that something is left of. */
export function nextSteps(migration: Migration, migrated: readonly Migrated[]): string[] {
  if (isDone(migration))
    return [
      'Done: nothing signs in by aad-pod-identity any more, and it is not installed. Its definitions are left: `kubectl delete crd azureidentities.aadpodidentity.k8s.io azureidentitybindings.aadpodidentity.k8s.io azureassignedidentities.aadpodidentity.k8s.io azurepodidentityexceptions.aadpodidentity.k8s.io`.',
    ];
  if (isNothingFound(migration))
    return [
      `Nothing is found that is left, but what is named above was not checked: name --stack and --cluster, or files with all that \`${listCommand}\` writes.`,
    ];
  const open = (step: keyof Progress) => migrated.filter(({ progress }) => progress[step] !== true);
  const own = (all: readonly Migrated[]) => all.flatMap(({ application }) => application ?? []).join(', ');
  const others = (all: readonly Migrated[]) => all.filter(({ application }) => application === undefined);
  const names = (all: readonly Migrated[]) => all.map(({ candidate }) => labelOf(candidate)).join(', ');
  /** A line for those that it is about. */
  const line = (text: string, about: string) => (about === '' ? [] : [text.replace('{}', () => about)]);
  const [prepare, swap, wait] = [open('prepared'), open('switched'), open('ready')];
  const due = others(swap).filter((one) => !prepare.includes(one));
  const [anew, changed] = [true, false].map((is) =>
    due.filter(({ candidate }) => isMadeAnew(candidate) === is),
  );
  const trusted = names(others(prepare));
  const first = [
    ...line(
      'Step 1 and 2: set `signIn: both` of {} in the stack file, and update. The update makes the trust, then the pods.',
      own([...new Set([...prepare, ...swap])]),
    ),
    ...line(askOwners, trusted),
    ...line(
      'Step 1, both ways side by side: for {}, run federated-credentials.sh and apply service-accounts.yaml (`--write`). Pods go on as they do.',
      trusted,
    ),
    ...line(
      'Step 2, switch: add labels.yaml to {} where they come from. If their Azure library is too old for workload identity, add the annotation `azure.workload.identity/inject-proxy-sidecar: "true"` to the pods as well (Linux only).',
      names(changed ?? []),
    ),
    ...line(
      'Step 2, switch: make {} anew with the label azure.workload.identity/use: "true" in its pods: on what is there, the label does nothing.',
      names(anew ?? []),
    ),
  ];
  if (first.length > 0) return first;
  if (wait.length > 0)
    return [`Step 3: wait until the pods of ${names(wait)} are ready, and look into their logs.`];
  if (migrated.length > 0)
    return [
      'Before step 4, the evidence that they sign in by workload identity: `aks-wi audit --sign-ins` shows the federated credential, or the log of the node component (NMI) has had no line for their pods since the switch. Pods that are ready prove neither.',
      ...line(
        'Step 4, remove: set `signIn: workloadIdentity` of {}, and update, once `aks-wi verify` passes.',
        own(migrated),
      ),
      ...line(
        'Step 4, remove: take the label aadpodidbinding from {}, then delete AzureIdentityBinding and AzureIdentity.',
        names(others(migrated)),
      ),
    ];
  const { unused, obstacles, assigned, uninstall } = migration;
  if (unused.length > 0 || obstacles.length > 0) return ['Step 4, remove: first what is named above.'];
  if (assigned > 0)
    return [
      `Wait: the controller is taking identities off the nodes (${assigned} AzureAssignedIdentity left). ${uninstall === undefined ? 'It is not installed any more: install it again until it has.' : 'Remove it only then.'}`,
    ];
  return [`Step 4, remove: ${uninstall ?? ''}.`];
}
