import {
  Unsupported,
  type CheckFailure,
  type Context,
  type Diff,
  type Properties,
  type ProviderImplementation,
} from '../protocol';
import { checkInputs } from './check';
import type { Lifecycle } from './lifecycle';
import { withoutNulls } from './propertyPath';
import { readFields, type Field, type Shapes } from './shapes/shape';

/** The declared properties of a resource type or function. */
export interface DeclaredFields {
  inputs: Record<string, Field>;
  outputs: Record<string, Field>;
}

/** All operations on a resource of a type. */
export interface ResourceOperations extends Lifecycle {
  /** Returns errors beyond names and kinds of inputs. The inputs may have secret marks and unknown values. */
  check(inputs: Properties): CheckFailure[];
  diff(oldState: Properties, oldInputs: Properties, news: Properties): Diff;
}

export type InvokedFunction = (
  args: Properties,
  fields: DeclaredFields,
  context: Context,
) => Promise<Properties>;

/** A plugin for some of the types that an npm package declares. */
export interface DeclaredPlugin {
  name: string;
  shapes: Shapes;
  /** Returns errors in the provider's configuration. */
  checkConfig(news: Properties): CheckFailure[];
  configure(config: Properties): void;
  /** By type token. */
  resources: Readonly<Record<string, (fields: DeclaredFields) => ResourceOperations>>;
  functions: Readonly<Record<string, InvokedFunction>>;
}

/** Returns the engine's operations for a {@link DeclaredPlugin}. Types and functions that it lacks are refused by name. */
export function declaredProvider(plugin: DeclaredPlugin): ProviderImplementation {
  const { shapes } = plugin;

  function operations(token: string): { fields: DeclaredFields; operations: ResourceOperations } {
    const open = plugin.resources[token];
    const shape = shapes.resources[token];
    if (open === undefined || shape === undefined) {
      throw notInPlugin(plugin.name, 'resource type', token, Object.keys(plugin.resources));
    }
    const fields = fieldsOf(shapes, shape);
    return { fields, operations: open(fields) };
  }

  return {
    name: plugin.name,
    version: shapes.version,

    checkConfig(_olds, news) {
      return Promise.resolve({ inputs: news, failures: plugin.checkConfig(news) });
    },

    configure(config) {
      return Promise.resolve().then(() => plugin.configure(config));
    },

    check(_urn, type, _olds, news) {
      const { fields, operations: resource } = operations(type);
      const inputs = withoutNulls(news);
      const failures = checkInputs(fields.inputs, inputs);
      return Promise.resolve({ inputs, failures: failures.length > 0 ? failures : resource.check(inputs) });
    },

    diff(_urn, type, _id, oldState, oldInputs, newInputs) {
      return Promise.resolve(operations(type).operations.diff(oldState, oldInputs, newInputs));
    },

    async create(_urn, type, inputs, options, context) {
      return operations(type).operations.create(inputs, options, context);
    },

    async read(_urn, type, id, state, inputs, context) {
      return operations(type).operations.read(id, state, inputs, context);
    },

    async update(_urn, type, id, oldState, _oldInputs, newInputs, options, context) {
      return operations(type).operations.update(id, oldState, newInputs, options, context);
    },

    async delete(_urn, type, id, state, options, context) {
      await operations(type).operations.delete(id, state, options, context);
    },

    async invoke(token, args, context) {
      const invoked = plugin.functions[token];
      const shape = shapes.functions[token];
      if (invoked === undefined || shape === undefined) {
        throw notInPlugin(plugin.name, 'function', token, Object.keys(plugin.functions));
      }
      const fields = fieldsOf(shapes, shape);
      const failures = checkInputs(fields.inputs, args);
      return { result: failures.length > 0 ? {} : await invoked(args, fields, context), failures };
    },
  };
}

function fieldsOf(shapes: Shapes, shape: Shapes['resources'][string]): DeclaredFields {
  return { inputs: readFields(shapes, shape.inputs), outputs: readFields(shapes, shape.outputs) };
}

/** Returns the error for a type that the plugin lacks, with the names of all that it has. */
export function notInPlugin(
  plugin: string,
  kind: 'resource type' | 'function',
  token: string,
  known: readonly string[],
): Unsupported {
  const has = known.length > 0 ? known.join(', ') : 'none';
  return new Unsupported(`the local cloud's ${plugin} plugin has no ${kind} '${token}': it has ${has}`);
}
