import type { AccessDifference } from '../../stacks/access/difference';
import type { AccessEntry } from '../../stacks/access/model';

/** One line of a comparison. */
export interface AccessChange {
  readonly kind: 'gained' | 'widened' | 'narrowed' | 'lost';
  readonly entry: AccessEntry;
  /** Why it can be read, or what is different. */
  readonly why: string;
}

/** The differences, what gives access first. */
export function changesOf({ gained, widened, narrowed, lost }: AccessDifference): AccessChange[] {
  const all = (kind: AccessChange['kind'], entries: readonly AccessEntry[]): AccessChange[] =>
    entries.map((entry) => ({ kind, entry, why: entry.because }));
  const changed = (kind: AccessChange['kind'], changes: AccessDifference['widened']): AccessChange[] =>
    changes.map(({ before, after, more, fewer }) => ({
      kind,
      entry: after,
      why: [
        ...(more.length > 0 ? [`also ${more.join(', ')}`] : []),
        ...(fewer.length > 0 ? [`no longer ${fewer.join(', ')}`] : []),
        ...(before.because === after.because ? [] : [after.because]),
      ].join('; '),
    }));
  return [
    ...all('gained', gained),
    ...changed('widened', widened),
    ...changed('narrowed', narrowed),
    ...all('lost', lost),
  ];
}

/** How many changes there are of each kind. */
export function countChanges(changes: readonly AccessChange[]): string {
  const kinds = ['gained', 'widened', 'narrowed', 'lost'] as const;
  return kinds
    .map((kind) => ({ kind, count: changes.filter((one) => one.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`)
    .join(', ');
}
