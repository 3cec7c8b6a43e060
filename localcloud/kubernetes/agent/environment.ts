import type { Container, EnvVar, Pod } from '../api/types';
import { expand } from './expand';
import type { PodAddress } from './fields';
import { podField, resourceField } from './fields';
import type { SourceKind, Sources } from './sources';
import { MissingSource } from './sources';

type Reader = Pick<Sources, 'read'>;

/** Names that Kubernetes accepts for environment variables from keys of Secrets and ConfigMaps. */
const variableName = /^[^=\0]+$/;

/**
 * Returns the environment variables of a container: `envFrom` first, then `env`, each of which can refer to earlier
 * ones.
 *
 * @throws MissingSource while a required Secret or ConfigMap is missing
 */
export async function containerEnvironment(
  pod: Pod,
  container: Container,
  sources: Reader,
  address: PodAddress,
): Promise<Record<string, string>> {
  const { namespace } = pod.metadata;
  const variables: Record<string, string> = {};
  for (const from of container.envFrom ?? []) {
    const [kind, ref] = from.secretRef
      ? (['secret', from.secretRef] as const)
      : (['configMap', from.configMapRef] as const);
    const data = await sources.read(kind, namespace, ref?.name ?? '');
    if (!data && ref?.optional !== true) throw missing(kind, namespace, ref?.name);
    for (const [key, value] of data ?? [])
      if (variableName.test(key)) variables[`${from.prefix ?? ''}${key}`] = value.toString('utf8');
  }
  for (const variable of container.env ?? []) {
    const value = await valueOf(variable, variables, pod, container, sources, address);
    if (value !== undefined) variables[variable.name] = value;
  }
  return variables;
}

async function valueOf(
  { value, valueFrom }: EnvVar,
  variables: Record<string, string>,
  pod: Pod,
  container: Container,
  sources: Reader,
  address: PodAddress,
): Promise<string | undefined> {
  if (!valueFrom) return expand(value ?? '', variables);
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef) return podField(pod, fieldRef.fieldPath, address) ?? '';
  if (resourceFieldRef) {
    const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
    return resourceField(containers, resourceFieldRef, container.name);
  }
  const [kind, ref] = secretKeyRef
    ? (['secret', secretKeyRef] as const)
    : (['configMap', configMapKeyRef] as const);
  if (!ref) return undefined;
  const data = await sources.read(kind, pod.metadata.namespace, ref.name ?? '');
  const bytes = data?.get(ref.key);
  if (bytes === undefined && ref.optional !== true)
    throw missing(kind, pod.metadata.namespace, ref.name, data ? ref.key : undefined);
  return bytes?.toString('utf8');
}

/** Returns the error for a missing object or key, in a kubelet's words (kubernetes pkg/kubelet/kubelet_pods.go). */
export function missing(kind: SourceKind, namespace: string, name = '', key?: string): MissingSource {
  const type = { secret: 'Secret', configMap: 'ConfigMap' }[kind];
  return new MissingSource(
    key === undefined
      ? `${type.toLowerCase()} "${name}" not found`
      : `couldn't find key ${key} in ${type} ${namespace}/${name}`,
  );
}
