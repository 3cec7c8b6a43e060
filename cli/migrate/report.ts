import pc from 'picocolors';
import { fittedTable } from '../fittedTable';
import type { Candidate, Migration } from './plan';
import { labelOf } from './plan';
import type { Progress } from './steps';

/** A workload, and how far its migration is. */
export interface Migrated {
  readonly candidate: Candidate;
  readonly progress: Progress;
  /** Name of the application of the stack that it is. */
  readonly application?: string | undefined;
}

const titles = ['workload', 'identity', '1 both ways', '2 switched', '3 verified', '4 removed'];

const said = (done: boolean | undefined): string =>
  done === undefined ? '?' : done ? pc.green('done') : pc.yellow('to do');

/** Whether nothing of aad-pod-identity is left. */
export const isDone = ({ candidates, obstacles, unused, isInstalled }: Migration): boolean =>
  candidates.length === 0 && obstacles.length === 0 && unused.length === 0 && !isInstalled;

/** @param terminal width of the terminal */
export function renderMigration(
  where: string,
  migration: Migration,
  migrated: readonly Migrated[],
  terminal = process.stdout.columns || 80,
): string {
  const { obstacles, unused, exceptions } = migration;
  const rows = migrated.map(({ candidate, progress: { prepared, switched, verified } }) => [
    ...[labelOf(candidate), candidate.identity.name],
    ...[prepared, switched, verified, false].map(said),
  ]);
  return [
    pc.bold(`aad-pod-identity in ${where}`),
    ...(rows.length === 0 ? [] : [fittedTable(titles, rows, [0, 1], terminal)]),
    ...obstacles.flatMap(({ what, problem, remedy }) => [
      `${pc.red('✗')} ${what} ${problem}.`,
      `  → ${remedy}`,
    ]),
    ...unused.map((one) => `${pc.yellow('!')} ${one} selects no pod: delete it in step 4.`),
    ...exceptions.map(
      (one) => `${pc.dim('-')} ${one} goes with the chart: workload identity needs no exceptions.`,
    ),
    ...nextSteps(migration, migrated).map((line) => `→ ${line}`),
    '',
  ].join('\n');
}

/** What is to be done now: the first step that something is left of. */
export function nextSteps(migration: Migration, migrated: readonly Migrated[]): string[] {
  if (isDone(migration))
    return [
      'Done: nothing signs in by aad-pod-identity any more, and it is not installed. Its definitions are left: `kubectl delete crd azureidentities.aadpodidentity.k8s.io azureidentitybindings.aadpodidentity.k8s.io azureassignedidentities.aadpodidentity.k8s.io azurepodidentityexceptions.aadpodidentity.k8s.io`.',
    ];
  const open = (step: keyof Progress) => migrated.filter(({ progress }) => progress[step] !== true);
  const own = (all: readonly Migrated[]) => all.flatMap(({ application }) => application ?? []);
  const others = (all: readonly Migrated[]) => all.filter(({ application }) => application === undefined);
  const names = (all: readonly Migrated[]) => all.map(({ candidate }) => labelOf(candidate)).join(', ');
  const [prepare, swap, verify] = [open('prepared'), open('switched'), open('verified')];
  if (prepare.length > 0 || swap.some(({ application }) => application !== undefined)) {
    const due = prepare.length > 0 ? prepare : swap;
    return [
      ...(own(due).length === 0
        ? []
        : [
            `Step 1 and 2: set \`signIn: both\` of ${own(due).join(', ')} in the stack file, and update. The update makes the trust, then the pods.`,
          ]),
      ...(others(due).length === 0
        ? []
        : [
            `Step 1, both ways side by side: for ${names(others(due))}, run federated-credentials.sh and apply service-accounts.yaml (\`--write\`). Pods go on as they do.`,
          ]),
    ];
  }
  if (swap.length > 0)
    return [
      `Step 2, switch: add labels.yaml to ${names(swap)} where they come from. If their Azure library is too old for workload identity, add the annotation \`azure.workload.identity/inject-proxy-sidecar: "true"\` to the pods as well (Linux only).`,
    ];
  if (verify.length > 0)
    return [`Step 3, verify: wait until the pods of ${names(verify)} are ready, and look into their logs.`];
  if (migrated.length > 0)
    return [
      ...(own(migrated).length === 0
        ? []
        : [
            `Step 4, remove: set \`signIn: workloadIdentity\` of ${own(migrated).join(', ')}, and update, once \`aks-wi verify\` passes.`,
          ]),
      ...(others(migrated).length === 0
        ? []
        : [
            `Step 4, remove: take the label aadpodidbinding from ${names(others(migrated))}, then delete AzureIdentityBinding and AzureIdentity.`,
          ]),
    ];
  if (migration.unused.length > 0 || migration.obstacles.length > 0)
    return ['Step 4, remove: first what is named above.'];
  return [
    'Step 4, remove: remove `podIdentity` of the cluster from the stack file, and update; if somebody else installed it: `helm uninstall aad-pod-identity`.',
  ];
}
