import { fieldsOf } from '../resource/fields';
import { digestOf } from '../resource/digest';
import type { CustomResourceBody, Specification } from './specification';
import { objectNameOf } from './specification';

/** The kind of object that holds a value. */
export const ValueSource = {
  /** A ConfigMap. */
  ConfigMap: 'configMap',
  /** A Kubernetes secret. */
  Secret: 'secret',
} as const;
export type ValueSource = (typeof ValueSource)[keyof typeof ValueSource];

/** A value that pods get from a ConfigMap or a secret. */
export interface ExportedValue {
  /** Kind of the object that holds the value. */
  readonly from: ValueSource;
  /** Name of the ConfigMap or the secret. */
  readonly name: string;
  /** Key of the value in the object. */
  readonly key: string;
}

/**
 * Returns the name of the ConfigMap with the values that the operator does not export. The program writes it once the
 * application has access. Pods read it only when they start, so changed data gets a new name, and new pods wait for it.
 */
export function configMapName(objectName: string, data: Readonly<Record<string, string>>): string {
  return `${objectName}-values-${digestOf(JSON.stringify(data))}`;
}

/**
 * Returns all values that the application gets from a service: those that its custom resources export, and those that the
 * program writes. An export without a key (a map that an expression computes) is left out, because its keys are unknown.
 */
export function exportedValues(
  objectName: string,
  { resources, configMapData = {} }: Specification,
): ExportedValue[] {
  const name = configMapName(objectName, configMapData);
  return [
    ...resources.flatMap(exportsOf),
    ...Object.keys(configMapData).map((key) => ({ from: ValueSource.ConfigMap, name, key })),
  ];
}

function exportsOf({ spec }: CustomResourceBody): ExportedValue[] {
  const { configMaps, secrets, configMapExpressions, secretExpressions } = fieldsOf(spec.operatorSpec);
  return [
    ...targets(ValueSource.ConfigMap, configMaps),
    ...targets(ValueSource.ConfigMap, configMapExpressions),
    ...targets(ValueSource.Secret, secrets),
    ...targets(ValueSource.Secret, secretExpressions),
  ];
}

/** @param exports an object or a list of targets */
function targets(from: ValueSource, exports: unknown): ExportedValue[] {
  return Object.values(exports ?? {})
    .map(fieldsOf)
    .flatMap(({ name, key }) =>
      typeof name === 'string' && typeof key === 'string' ? [{ from, name, key }] : [],
    );
}

/** Returns the names of all objects of a service in the cluster: custom resources, ConfigMaps and secrets. */
export function objectNames(objectName: string, specification: Specification): string[] {
  return [
    ...specification.resources.map((body) => objectNameOf(objectName, body)),
    ...exportedValues(objectName, specification).map(({ name }) => name),
  ];
}
