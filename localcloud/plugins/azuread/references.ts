import { graphRoot } from './graph/client';
import { sorted } from './rules';
import type { Session } from './session';

/** Returns a reference to an object of the directory. */
export function reference(objectId: string): string {
  return `${graphRoot}/directoryObjects/${objectId}`;
}

export function sameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Returns the object ids at a path such as `/groups/<objectId>/members`, sorted. */
export async function idsAt(session: Session, path: string, signal: AbortSignal): Promise<string[]> {
  const objects = await session.graph.list(path, signal);
  const ids = objects.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  return sorted(ids).filter((id) => typeof id === 'string');
}

/** Adds and removes references until the path has exactly the wanted ones. */
export async function settle(
  session: Session,
  path: string,
  declared: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const current = await idsAt(session, path, signal);
  for (const id of declared.filter((a) => !current.some((b) => sameId(a, b)))) {
    await session.graph.post(`${path}/$ref`, { '@odata.id': reference(id) }, signal);
  }
  for (const id of current.filter((a) => !declared.some((b) => sameId(a, b)))) {
    await session.graph.delete(`${path}/${id}/$ref`, signal);
  }
}
