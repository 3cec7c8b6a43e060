import type { Registration } from '../components/support/recorder';

/** Resources that others wait for, themselves or by way of others and of their parents, by `type::name`. */
export class Waits {
  private readonly direct: ReadonlyMap<string, readonly string[]>;

  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(private readonly registrations: readonly Registration[]) {
    this.direct = new Map(
      registrations.map(({ type, name, dependencies, parent }) => [
        `${type}::${name}`,
        [...dependencies, ...(parent === undefined ? [] : [parent])],
      ]),
    );
  }

  hasChildren(key: string): boolean {
    return this.registrations.some(({ parent }) => parent === key);
  }

  /** True if one waits for the other by way of a third. */
  isImplied(key: string, other: string): boolean {
    return (this.direct.get(key) ?? []).some((waited) => waited !== other && this.of(waited).has(other));
  }

  of(key: string): ReadonlySet<string> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = new Set<string>();
    this.known.set(key, found);
    const visit = (waiting: string) => {
      for (const next of this.direct.get(waiting) ?? []) {
        if (found.has(next)) continue;
        found.add(next);
        visit(next);
      }
    };
    visit(key);
    return found;
  }
}
