import type { Pod } from '../../../kubernetes/api/types';

/** A pod with one container; `parts` of the same name are replaced. */
export function testPod(
  parts: {
    metadata?: Partial<Pod['metadata']>;
    spec?: Partial<Pod['spec']>;
    status?: Pod['status'];
  } = {},
): Pod {
  return {
    metadata: { name: 'pod', namespace: 'default', uid: 'uid', ...parts.metadata },
    spec: {
      nodeName: 'node',
      serviceAccountName: 'account',
      containers: [{ name: 'main', image: 'registry/image:1' }],
      ...parts.spec,
    },
    status: parts.status,
  };
}
