/** Values of components that are no outputs. In a field, Pulumi's analyzer would take a value for an output. */
export class PrivateState<T> {
  private readonly values = new WeakMap<object, T>();

  keep(component: object, value: T): T {
    this.values.set(component, value);
    return value;
  }

  /** The value of a component that this program makes. */
  of(component: object): T {
    const found = this.values.get(component);
    if (found === undefined)
      throw new Error('This component was not made by the program that asks for its parts.');
    return found;
  }
}
