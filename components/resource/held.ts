/** What components have beside their outputs. Not in fields: all of these are outputs for Pulumi's analyzer. */
export class Held<T> {
  private readonly all = new WeakMap<object, T>();

  /** Keeps what a component has. */
  keep(component: object, value: T): T {
    this.all.set(component, value);
    return value;
  }

  /** What a component has; of another program's component, nothing is known. */
  of(component: object): T {
    const found = this.all.get(component);
    if (found === undefined) throw new Error('Only a component that this program makes has it.');
    return found;
  }
}
