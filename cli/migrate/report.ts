import pc from 'picocolors';
import { shownInLine } from '../shownOnTerminal';
import { fittedTable, terminalWidth } from '../fittedTable';
import type { Candidate, Migration } from './plan';
import { labelOf } from './plan';
import { listCommand } from './objects';
import { mustBeRecreated } from './review';
import type { Progress } from './steps';

/** A workload and the progress of its migration. */
export interface Migrated {
  readonly candidate: Candidate;
  readonly progress: Progress;
  /** Name in the stack, if it is an application of the stack. */
  readonly application?: string | undefined;
}

const titles = ['workload', 'identity', '1 both ways', '2 switched', '3 ready', '4 removed'];

const stateOf = (done: boolean | undefined): string =>
  done === undefined ? '?' : done ? pc.green('done') : pc.yellow('to do');

const isNothingFound = ({ candidates, obstacles, unused, assigned, uninstall }: Migration): boolean =>
  [candidates, obstacles, unused].every(({ length }) => length === 0) &&
  assigned === 0 &&
  uninstall === undefined;

/** Tells whether aad-pod-identity is completely removed. For files, this is never known. */
export const isDone = (migration: Migration): boolean =>
  isNothingFound(migration) && migration.unchecked.length === 0;

/** A step before trust is established. No check can replace it. */
const askOwners =
  'Find out who owns each identity before it trusts a service account: anyone who may write AzureIdentity and AzureAssignedIdentity can make any identity look assigned.';

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
    ...[prepared, switched, ready, false].map(stateOf),
  ]);
  return [
    pc.bold(`aad-pod-identity in ${where}`),
    ...(rows.length === 0 ? [] : [fittedTable(titles, rows, [0, 1], terminal)]),
    ...obstacles.flatMap(({ what, problem, hint }) => [
      `${pc.red('✗')} ${shownInLine(`${what} ${problem}`)}.`,
      `  → ${shownInLine(hint)}`,
    ]),
    ...unused.map(
      (binding) =>
        `${pc.yellow('!')} ${shownInLine(binding)} selects no pod of its namespace: delete it in step 4.`,
    ),
    ...exceptions.map(
      (exception) =>
        `${pc.dim('-')} ${shownInLine(exception)} is removed with the chart: workload identity needs no exceptions.`,
    ),
    ...unchecked.map((note) => `${pc.yellow('!')} ${shownInLine(note)}`),
    ...nextSteps(migration, migrated).map((line) => `→ ${shownInLine(line)}`),
    '',
  ].join('\n');
}

/** Returns the instructions of the first step that is not complete. */
export function nextSteps(migration: Migration, migrated: readonly Migrated[]): string[] {
  if (isDone(migration))
    return [
      'Done: nothing signs in with aad-pod-identity, and it is not installed. Its custom resource definitions are left: `kubectl delete crd azureidentities.aadpodidentity.k8s.io azureidentitybindings.aadpodidentity.k8s.io azureassignedidentities.aadpodidentity.k8s.io azurepodidentityexceptions.aadpodidentity.k8s.io`.',
    ];
  if (isNothingFound(migration))
    return [
      `Nothing was found, but the points above were not checked: use --stack and --cluster, or files with the whole output of \`${listCommand}\`.`,
    ];
  const open = (step: keyof Progress) => migrated.filter(({ progress }) => progress[step] !== true);
  const own = (some: readonly Migrated[]) => some.flatMap(({ application }) => application ?? []).join(', ');
  const others = (some: readonly Migrated[]) => some.filter(({ application }) => application === undefined);
  const names = (some: readonly Migrated[]) => some.map(({ candidate }) => labelOf(candidate)).join(', ');
  /** Inserts the workloads into an instruction, which is left out if there are none. */
  const instruction = (text: string, workloads: string) =>
    workloads === '' ? [] : [text.replace('{}', () => workloads)];
  const [unprepared, unswitched, unready] = [open('prepared'), open('switched'), open('ready')];
  const due = others(unswitched).filter((workload) => !unprepared.includes(workload));
  const [recreated, changed] = [true, false].map((isRecreated) =>
    due.filter(({ candidate }) => mustBeRecreated(candidate) === isRecreated),
  );
  const toTrust = names(others(unprepared));
  const steps1And2 = [
    ...instruction(
      'Step 1 and 2: set `signIn: both` of {} in the stack file, and update. The update creates the federated credentials, then replaces the pods.',
      own([...new Set([...unprepared, ...unswitched])]),
    ),
    ...instruction(askOwners, toTrust),
    ...instruction(
      'Step 1, both ways side by side: for {}, run federated-credentials.sh and apply service-accounts.yaml (`--write`). The pods are not affected.',
      toTrust,
    ),
    ...instruction(
      'Step 2, switch: add labels.yaml to {} at their source. If their Azure library is too old for workload identity, also add the annotation `azure.workload.identity/inject-proxy-sidecar: "true"` to the pods (Linux only).',
      names(changed ?? []),
    ),
    ...instruction(
      'Step 2, switch: recreate {} with the label azure.workload.identity/use: "true" in its pods; the label has no effect on existing pods.',
      names(recreated ?? []),
    ),
  ];
  if (steps1And2.length > 0) return steps1And2;
  if (unready.length > 0)
    return [`Step 3: wait until the pods of ${names(unready)} are ready, and check their logs.`];
  if (migrated.length > 0)
    return [
      'Before step 4, prove that they sign in with workload identity: `aks-wi audit --sign-ins` shows the federated credential, or the log of the node component (NMI) has no line for their pods since the switch. Ready pods do not prove it.',
      ...instruction(
        'Step 4, remove: set `signIn: workloadIdentity` of {}, and update, once `aks-wi verify` passes.',
        own(migrated),
      ),
      ...instruction(
        'Step 4, remove: remove the label aadpodidbinding from {}, then delete AzureIdentityBinding and AzureIdentity.',
        names(others(migrated)),
      ),
    ];
  const { unused, obstacles, assigned, uninstall } = migration;
  if (unused.length > 0 || obstacles.length > 0) return ['Step 4, remove: first resolve the points above.'];
  if (assigned > 0)
    return [
      `Wait: the controller is removing identities from the nodes (${assigned} AzureAssignedIdentity left). ${uninstall === undefined ? 'It is no longer installed: install it again until none are left.' : 'Uninstall it only when none are left.'}`,
    ];
  return [`Step 4, remove: ${uninstall ?? ''}.`];
}
