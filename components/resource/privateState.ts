/** Values of components that are not outputs. Pulumi's analyzer would treat a value in a field as an output. */
export class PrivateState<T> {
  private readonly values = new WeakMap<object, T>();

  keep(component: object, value: T): T {
    this.values.set(component, value);
    return value;
  }

  /** Returns the value of a component that this program created. */
  of(component: object): T {
    const found = this.values.get(component);
    if (found === undefined)
      throw new Error('This component was not created by the program that reads its parts.');
    return found;
  }
}
