import { VisibleError } from '../visibleError';
import { nameOf, type Preview } from './preview';
import type { Found } from './report';

/** What the stack has under another name as well would be deleted as that, and is the only one there is. */
export function refuseDeleted(found: readonly Found[], { deletes }: Pick<Preview, 'deletes'>): void {
  const held = found.flatMap(({ create, finding }) => {
    const urn = deletes.get(finding.id.toLowerCase());
    return urn === undefined ? [] : [`${nameOf(create.urn)} (in the stack: ${nameOf(urn)})`];
  });
  if (held.length === 0) return;
  throw new VisibleError(
    `The stack has these already under other names, and the next update deletes them under those: ${held.sort().join(', ')}.`,
    'Put the names back that they have in the stack, and run an update; give them other names after it.',
  );
}
