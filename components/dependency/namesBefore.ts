import type * as pulumi from '@pulumi/pulumi';

/** What a dependency was in the stack before, so that it is not taken for another one. */
export interface BeforeInStack {
  /**
   * Names that it had in the stack. What is in it is told them as well: the engine hands aliases down only where the
   * component itself had the name, which it no longer has after an update that failed.
   */
  readonly names: readonly string[];
  /** API versions of the operator's custom resources, by their names in the stack: Pulumi has them in the type. */
  readonly apiVersions: ReadonlyMap<string, string>;
}

/** The names before of something in a component: its own name begins with the component's. */
export function namesOf(name: string, component: string, { names }: Pick<BeforeInStack, 'names'>): string[] {
  return names.map((before) => `${before}${name.slice(component.length)}`);
}

/** What a custom resource was before, by name and by type. */
export function customResourceAliases(
  { name, component }: { readonly name: string; readonly component: string },
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  before: BeforeInStack,
): pulumi.Alias[] {
  return [name, ...namesOf(name, component, before)].flatMap((one): pulumi.Alias[] => {
    const version = before.apiVersions.get(one) ?? apiVersion;
    return one === name && version === apiVersion
      ? []
      : [{ name: one, type: `kubernetes:${version}:${kind}` }];
  });
}
