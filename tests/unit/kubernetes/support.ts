import type { Pod } from '../../../localcloud/kubernetes/api/types';

/** A pod with one container; what is given replaces the parts of the same name. */
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
