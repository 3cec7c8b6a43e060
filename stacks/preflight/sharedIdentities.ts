import { tryParseResourceId } from '../../components/azure/resourceId';
import { firstFew } from '../../components/resource/firstFew';
import { messageOf } from '../../components/resource/errors';
import type { CellPlan, Configuration } from '../plan';
import { sharedBy } from '../plan/identityKeys';
import { applicationPath } from '../settings/places';
import type { Problem } from '../settings/problem';
import { isSame } from './same';
import type { ResourceInState } from './stackState';
import { grantsOf, identitiesIn, resourcesInState } from './stackState';

/**
 * Returns problems of existing identities that an application has on all its clusters, in an environment with cells. The stack of
 * the environment has their grants and is updated before the cells, so the pods of all cells would lose what it takes away. It
 * would also share the grants of an identity that a cell has granted itself, and the update of the cell would delete them.
 */
export async function sharedIdentityProblems(configuration: Configuration): Promise<Problem[]> {
  const { plan, cells, cell } = configuration;
  if (cells.length === 0 || cell !== undefined) return [];
  const resources = await resourcesInState();
  const before = identitiesIn(resources).filter(({ key }) => sharedBy(key) !== undefined);
  const lost = before.filter(
    ({ key, id }) =>
      grantsOf(resources, key).length > 0 &&
      !plan.sharedIdentities.some((shared) => shared.key === key && isSame(id, shared.existing.id)),
  );
  const gained = plan.sharedIdentities.filter(({ key }) => !before.some((identity) => identity.key === key));
  if (lost.length === 0 && gained.length === 0) return [];

  const read = await Promise.all(cells.map(({ stack }) => stateOf(stack)));
  const unread = read.find((state) => 'what' in state);
  if (unread !== undefined) return [unread];
  const states = read.filter((state) => 'resources' in state);
  const those = (has: (cell: CellState, id: string) => boolean, id: string): string[] =>
    states.filter((cell) => has(cell, id)).map(({ stack }) => stack);
  return [
    ...lost.flatMap(({ key, id }) => lostProblems(configuration, sharedBy(key) ?? '', id, those(uses, id))),
    ...gained.flatMap(({ application, existing: { id } }) =>
      gainedProblems(configuration, application, id, those(grants, id)),
    ),
  ];
}

interface CellState extends Pick<CellPlan, 'stack'> {
  readonly resources: readonly ResourceInState[];
}

const uses = ({ resources }: CellState, identity: string): boolean =>
  identitiesIn(resources).some(({ id }) => isSame(id, identity));

const grants = ({ resources }: CellState, identity: string): boolean =>
  identitiesIn(resources).some(({ key, id }) => isSame(id, identity) && grantsOf(resources, key).length > 0);

/** Returns the resources of the stack of a cell, none if there is no such stack yet. */
async function stateOf(stack: string): Promise<CellState | Problem> {
  try {
    return { stack, resources: await resourcesInState(stack) };
  } catch (error) {
    const message = messageOf(error);
    // pulumi pkg/backend/backend.go, GetStackResourceOutputs
    if (message.includes('unknown stack')) return { stack, resources: [] };
    return {
      path: ['cells'],
      what: `has ${stack}, whose state cannot be read: ${message}. It may use identities whose access this update changes`,
      hint: 'Correct the cause, and update again.',
    };
  }
}

function lostProblems(
  { settings, plan }: Configuration,
  application: string,
  id: string,
  cells: readonly string[],
): Problem[] {
  if (cells.length === 0) return [];
  const owner = settings.applications.find(({ name }) => name === application);
  const lacks =
    owner === undefined
      ? { path: ['applications'], what: `no longer has ${application} with the identity` }
      : { path: [...applicationPath(settings, application), 'identity'], what: 'no longer is' };
  // Cells cannot be first: the environment grants the access of the other identity, or of the same one by another name.
  const isExisting = typeof owner?.identity === 'object' && 'existing' in owner.identity;
  const isRenamed = plan.sharedIdentities.some(({ existing }) => isSame(id, existing.id));
  const update = `Update these cells first: ${firstFew(cells.map((stack) => `\`pulumi up --stack ${stack}\``))}`;
  return [
    {
      path: lacks.path,
      what: `${lacks.what} ${tryParseResourceId(id)?.name ?? id}, which ${application} still has in ${firstFew(cells)}: its pods would lose their access before the update of their cell`,
      hint:
        isExisting || isRenamed
          ? `Set it back. To change it, ${inPlaceOf(application)}.`
          : `${update}${owner === undefined ? '. Or set it back, and revoke the application in an update before' : ''}.`,
    },
  ];
}

function gainedProblems(
  { settings }: Configuration,
  application: string,
  id: string,
  cells: readonly string[],
): Problem[] {
  if (cells.length === 0) return [];
  return [
    {
      path: [...applicationPath(settings, application), 'identity', 'existing'],
      value: JSON.stringify(id),
      what: `has grants of ${firstFew(cells)}: the environment would create them again, and the update of the cell would delete them`,
      hint: `Set it back. To share one identity, ${inPlaceOf(application)}.`,
    },
  ];
}

const inPlaceOf = (application: string): string =>
  `add a second application with another identity, and remove ${application} when all cells have the second`;
