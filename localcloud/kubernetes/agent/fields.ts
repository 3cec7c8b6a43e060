import type { Container, Pod } from '../api/types';
import { wholeQuantity } from './quantity';

export interface PodAddress {
  podIp: string;
  hostIp: string;
}

const annotated = /^metadata\.(labels|annotations)\['([^']+)'\]$/;

/**
 * Returns the value of a downward API field; undefined if the pod does not have it.
 *
 * @throws an error with the field's name if the agent does not support it
 */
export function podField(pod: Pod, fieldPath: string, address: PodAddress): string | undefined {
  const { metadata, spec } = pod;
  const entry = annotated.exec(fieldPath);
  if (entry) return metadata[entry[1] as 'labels' | 'annotations']?.[entry[2] ?? ''] ?? '';
  switch (fieldPath) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace;
    case 'metadata.uid':
      return metadata.uid;
    case 'metadata.labels':
      return listing(metadata.labels);
    case 'metadata.annotations':
      return listing(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName;
    case 'spec.serviceAccountName':
      return spec.serviceAccountName;
    case 'status.hostIP':
    case 'status.hostIPs':
      return address.hostIp;
    case 'status.podIP':
    case 'status.podIPs':
      return address.podIp;
    default:
      throw new Error(
        `fieldRef.fieldPath "${fieldPath}" is not supported; supported are metadata.{name,namespace,uid,labels,annotations}, spec.{nodeName,serviceAccountName}, status.{hostIP,podIP}`,
      );
  }
}

/** Returns entries in the format of a downward API volume: one `key="value"` per line, sorted. */
function listing(entries: Record<string, string> = {}): string {
  return Object.entries(entries)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort()
    .join('\n');
}

/**
 * Returns the value of a `resourceFieldRef`: the container's limit or request in units of `divisor`, rounded up. Without
 * a limit, a kubelet returns the node's capacity; the agent returns 1 CPU, and 0 for all other resources.
 */
export function resourceField(
  containers: readonly Container[],
  { resource, containerName, divisor }: { resource: string; containerName?: string; divisor?: string },
  ownName: string,
): string {
  const container = containers.find(({ name }) => name === (containerName ?? ownName));
  const [kind, ...rest] = resource.split('.');
  const name = rest.join('.');
  const { limits, requests } = container?.resources ?? {};
  const quantity = (kind === 'limits' ? limits : requests)?.[name] ?? (name === 'cpu' ? '1' : '0');
  return String(wholeQuantity(quantity, divisor && divisor !== '0' ? divisor : '1'));
}
