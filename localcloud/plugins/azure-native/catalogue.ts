import { notInPlugin } from '../resources/provider';
import { readFields, type Field, type Shapes } from '../resources/shapes/shape';
import shapes from './shapes/shapes.json';
import { functionType, functionTypes, type FunctionType } from './functionTable';
import { clientFunctions, resourceType, resourceTypes, type ResourceType } from './table';

const declared: Shapes = shapes;

/** Version of the npm package whose types the plugin implements. */
export const packageVersion = declared.version;

/** A resource type with the names and kinds of its properties. */
export interface Resource extends ResourceType {
  inputs: Record<string, Field>;
  outputs: Record<string, Field>;
}

export interface Invocable extends FunctionType {
  inputs: Record<string, Field>;
  outputs: Record<string, Field>;
}

/** Returns a resource type. @throws Unsupported, with the names of all resource types, for one that the plugin lacks */
export function findResource(token: string): Resource {
  const row = resourceType(token);
  const shape = row && declared.resources[row.token];
  if (row === undefined || shape === undefined) {
    throw notInPlugin(
      'azure-native',
      'resource type',
      token,
      resourceTypes.map((type) => type.token),
    );
  }
  return { ...row, inputs: readFields(declared, shape.inputs), outputs: readFields(declared, shape.outputs) };
}

/** Returns a function. @throws Unsupported, with the names of all functions, for one that the plugin lacks */
export function findFunction(token: string): Invocable {
  const row = functionType(token);
  const shape = row && declared.functions[row.token];
  if (row === undefined || shape === undefined) {
    const tokens = [...Object.values(clientFunctions), ...functionTypes.map((type) => type.token)];
    throw notInPlugin('azure-native', 'function', token, tokens);
  }
  return { ...row, inputs: readFields(declared, shape.inputs), outputs: readFields(declared, shape.outputs) };
}
