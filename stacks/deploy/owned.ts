import type * as pulumi from '@pulumi/pulumi';
import { isRecord } from '../../components/resource/fields';
import { ownerAnnotation } from '../plan/owner';

/**
 * Annotates every Kubernetes object beneath a component with its owner, for the preflight of other stacks. Objects of other
 * owners are only read or patched, and get no annotation.
 */
export function owned(owner: string): pulumi.ResourceTransformation {
  return ({ type, props, opts }) => {
    const metadata: unknown = (props as Readonly<Record<string, unknown>>).metadata;
    if (!type.startsWith('kubernetes:') || type.endsWith('Patch') || !isRecord(metadata)) return undefined;
    const annotations = { ...(metadata.annotations as object | undefined), [ownerAnnotation]: owner };
    return { props: { ...(props as object), metadata: { ...metadata, annotations } }, opts };
  };
}
