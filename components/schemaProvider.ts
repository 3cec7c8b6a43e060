import type { ComponentResource, ComponentResourceOptions, Inputs } from '@pulumi/pulumi';
import type { Provider } from '@pulumi/pulumi/provider';
import schema from './schema.json';

export type Component = new (
  name: string,
  args: Inputs,
  opts?: ComponentResourceOptions,
) => ComponentResource & Readonly<Record<string, unknown>>;

const resources: Readonly<Record<string, object>> = schema.resources;

/** Names of the outputs of a component. */
function outputsOf(type: string): string[] {
  const definition = resources[type] ?? {};
  return 'properties' in definition ? Object.keys(definition.properties ?? {}) : [];
}

/** Serves the components with the checked-in schema: compiled, there are no sources that Pulumi could derive it from. */
export class SchemaProvider implements Provider {
  readonly version = schema.version;

  constructor(private readonly components: readonly Component[]) {}

  getSchema(): Promise<string> {
    return Promise.resolve(JSON.stringify(schema));
  }

  /** @throws Error if the package has no component of this type */
  construct(name: string, type: string, inputs: Inputs, options: ComponentResourceOptions) {
    const component = this.components.find((candidate) => type === `${schema.name}:index:${candidate.name}`);
    if (component === undefined) return Promise.reject(new Error(`${schema.name} has no component ${type}.`));
    const resource = new component(name, inputs, options);
    const state = Object.fromEntries(outputsOf(type).map((output) => [output, resource[output]]));
    return Promise.resolve({ urn: resource.urn, state });
  }
}
