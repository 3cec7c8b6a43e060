import { fieldsOf, itemsOf } from '../cluster/fields';
import { digestOf } from '../resource/digest';
import type { CustomResourceBody, Specification } from './specification';

/** What a value is in. */
export const ValueSource = {
  /** A ConfigMap. */
  ConfigMap: 'configMap',
  /** A Kubernetes secret. */
  Secret: 'secret',
} as const;
export type ValueSource = (typeof ValueSource)[keyof typeof ValueSource];

/** A value that pods get from a ConfigMap or a secret. */
export interface ExportedValue {
  /** What it is in. */
  readonly from: ValueSource;
  /** Name of the ConfigMap or the secret. */
  readonly name: string;
  /** Its key there. */
  readonly key: string;
}

/**
 * Name of the ConfigMap in which the program says what the operator does not, once the application has access. Pods read it
 * when they start, so another content is another object, which other pods wait for.
 */
export function configMapName(objectName: string, data: Specification['configMapData']): string {
  return `${objectName}-told-${digestOf(JSON.stringify(data))}`;
}

/**
 * Everything that the application is told of a service: what its custom resources export, and what the program says. Of a
 * value without a key (a map of them, computed by an expression) it is not known which there are.
 */
export function exportedValues(objectName: string, specification: Specification): ExportedValue[] {
  return [
    ...bodiesOf(specification).flatMap(exportsOf),
    ...Object.keys(specification.configMapData).map((key) => ({
      from: 'configMap' as const,
      name: configMapName(objectName, specification.configMapData),
      key,
    })),
  ];
}

function bodiesOf({ resources, keys }: Specification): readonly CustomResourceBody[] {
  return keys === undefined ? resources : [...resources, keys];
}

function exportsOf({ spec }: CustomResourceBody): ExportedValue[] {
  const { configMaps, secrets, configMapExpressions, secretExpressions } = fieldsOf(spec.operatorSpec);
  return [
    ...targets('configMap', [...Object.values(fieldsOf(configMaps)), ...itemsOf(configMapExpressions)]),
    ...targets('secret', [...Object.values(fieldsOf(secrets)), ...itemsOf(secretExpressions)]),
  ];
}

function targets(from: ExportedValue['from'], values: readonly unknown[]): ExportedValue[] {
  return values
    .map(fieldsOf)
    .flatMap(({ name, key }) =>
      typeof name === 'string' && typeof key === 'string' ? [{ from, name, key }] : [],
    );
}

/** Names of all objects of a service, of whatever kind: the custom resources, and what they and the program write. */
export function objectNames(objectName: string, specification: Specification): string[] {
  return [
    ...bodiesOf(specification).map(({ suffix }) =>
      suffix === undefined ? objectName : `${objectName}-${suffix}`,
    ),
    ...exportedValues(objectName, specification).map(({ name }) => name),
  ];
}
