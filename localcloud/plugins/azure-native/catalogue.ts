import { notInPlugin } from '../resources/provider';
import { readFields, type Field, type Shapes } from '../resources/shapes/shape';
import shapes from './shapes/shapes.json';
import { functionType, functionTypes, type FunctionType } from './functionTable';
import { clientFunctions, resourceType, resourceTypes, type ResourceType } from './table';

const declared: Shapes = shapes;

/** Version of the npm package whose types the plugin implements. */
export const packageVersion = declared.version;

/** For access policies, whose declarations name no API version: they are a part of their vault. */
const vaultVersion = shapes.resources['azure-native:keyvault:Vault'].apiVersion;

/** What the npm package declares. */
interface Declared {
  apiVersion: string;
  inputs: Record<string, Field>;
  outputs: Record<string, Field>;
}

/** A resource type with its declarations. */
export interface Resource extends ResourceType, Declared {}

/** A function with its declarations. */
export interface Invocable extends FunctionType, Declared {}

function read({ apiVersion = vaultVersion, inputs, outputs }: Shapes['resources'][string]): Declared {
  return { apiVersion, inputs: readFields(declared, inputs), outputs: readFields(declared, outputs) };
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
  return { ...row, ...read(shape) };
}

/** Returns a function. @throws Unsupported, with the names of all functions, for one that the plugin lacks */
export function findFunction(token: string): Invocable {
  const row = functionType(token);
  const shape = row && declared.functions[row.token];
  if (row === undefined || shape === undefined) {
    const tokens = [...Object.values(clientFunctions), ...functionTypes.map((type) => type.token)];
    throw notInPlugin('azure-native', 'function', token, tokens);
  }
  return { ...row, ...read(shape) };
}
