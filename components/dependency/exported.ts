import type { CustomResourceBody, Specification } from './specification';

/** A value that pods get from a ConfigMap or a secret. */
export interface ExportedValue {
  readonly from: 'configMap' | 'secret';
  /** Name of the ConfigMap or the secret. */
  readonly name: string;
  readonly key: string;
}

/** Name of the ConfigMap in which the program says what the operator does not, once the application has access. */
export function toldObjectName(objectName: string): string {
  return `${objectName}-told`;
}

/**
 * Everything that the application is told of a service: what its custom resources export, and what the program says. Of a
 * value without a key (a map of them, computed by an expression) it is not known which there are.
 */
export function exportedValues(objectName: string, { resources, told }: Specification): ExportedValue[] {
  return [
    ...resources.flatMap(exportsOf),
    ...Object.keys(told).map((key) => ({
      from: 'configMap' as const,
      name: toldObjectName(objectName),
      key,
    })),
  ];
}

function exportsOf({ spec }: CustomResourceBody): ExportedValue[] {
  const { configMaps, secrets, configMapExpressions, secretExpressions } = record(spec.operatorSpec);
  return [
    ...targets('configMap', [...Object.values(record(configMaps)), ...list(configMapExpressions)]),
    ...targets('secret', [...Object.values(record(secrets)), ...list(secretExpressions)]),
  ];
}

function targets(from: ExportedValue['from'], values: readonly unknown[]): ExportedValue[] {
  return values
    .map(record)
    .flatMap(({ name, key }) =>
      typeof name === 'string' && typeof key === 'string' ? [{ from, name, key }] : [],
    );
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Names of all objects of a service, of whatever kind: the custom resources, and what they and the program write. */
export function objectNames(objectName: string, specification: Specification): string[] {
  return [
    ...specification.resources.map(({ suffix }) =>
      suffix === undefined ? objectName : `${objectName}-${suffix}`,
    ),
    ...exportedValues(objectName, specification).map(({ name }) => name),
  ];
}
