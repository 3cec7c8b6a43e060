import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { takePort } from '../../../localcloud/kubernetes/ports';
import { Miss, until } from '../../../localcloud/tests/support/kubernetes/client';
import { certificateVolume } from '../../../localcloud/tests/support/kubernetes/hypershiftClass';
import { requireTool } from '../../../localcloud/tests/support/kubernetes/runtime';
import type { LocalCloud } from '../../support/localCloud';

const image = 'registry.test/tests/hosted-cluster-pod';

/** An Azure service's answer, as a pod reports it. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The reason if the pod got no token. */
  readonly error?: string;
}

/** Writes the images file with which the local cloud runs the pods (AKS_WI_IMAGES), and returns its path. */
export async function hostedClusterImagesFile(folder: string): Promise<string> {
  const file = path.join(folder, 'images.json');
  writeFileSync(file, JSON.stringify({ [image]: { command: [await requireTool('hosted-cluster-pod')] } }));
  return file;
}

/** Pods of a hosted control plane. They sign in with the mounted file, using HyperShift's own library. */
export class HostedClusterPods {
  private readonly ports = new Map<string, number>();

  constructor(
    private readonly client: Awaited<ReturnType<LocalCloud['kubernetes']>>,
    private readonly namespace: string,
  ) {}

  /** Starts a pod, and waits until it answers requests. */
  async start(
    name: string,
    { secretProviderClass, secret }: { readonly secretProviderClass: string; readonly secret: string },
  ): Promise<void> {
    const port = await takePort();
    this.ports.set(name, port);
    await this.client.core.createNamespacedPod({
      namespace: this.namespace,
      body: {
        metadata: { name },
        spec: {
          terminationGracePeriodSeconds: 5,
          volumes: [certificateVolume(secretProviderClass)],
          containers: [
            {
              ...{ name: 'main', image: `${image}:1` },
              env: [
                { name: 'MANAGED_AZURE_HCP_CREDENTIALS_FILE_PATH', value: `/mnt/certs/${secret}` },
                { name: 'PORT', value: String(port) },
              ],
              volumeMounts: [{ name: 'cert', mountPath: '/mnt/certs', readOnly: true }],
            },
          ],
        },
      },
    });
    const isServing = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      return answer?.ok === true ? true : new Miss(await this.events(name));
    };
    await until(`pod ${name} serves`, isServing, 120_000);
  }

  /**
   * Lets the pod send a request to an Azure service. `fresh`: the pod uses a new credential, which reads the file again, as
   * after a start.
   */
  async get(pod: string, url: string, { fresh = false } = {}): Promise<Answer> {
    const query = `url=${encodeURIComponent(url)}${fresh ? '&fresh' : ''}`;
    const answer = await fetch(`http://127.0.0.1:${this.ports.get(pod) ?? 0}/get?${query}`);
    return (await answer.json()) as Answer;
  }

  private async events(pod: string): Promise<string> {
    const fieldSelector = `involvedObject.name=${pod}`;
    const { items } = await this.client.core.listNamespacedEvent({
      namespace: this.namespace,
      fieldSelector,
    });
    return items.map(({ message }) => message).join('; ');
  }
}

/** Changes fields of a HostedCluster as another person would, with `kubectl patch --type merge`. */
export async function patchHostedCluster(
  { objects }: Awaited<ReturnType<LocalCloud['kubernetes']>>,
  name: string,
  patch: object,
): Promise<void> {
  const { PatchStrategy } = await import('@kubernetes/client-node');
  await objects.patch(
    {
      ...{ apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedCluster' },
      ...{ metadata: { name, namespace: 'clusters' }, ...patch },
    },
    ...([undefined, undefined, 'somebody', undefined, PatchStrategy.MergePatch] as const),
  );
}
