import type { V1Pod, V1PodSpec } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { TestRuntime } from './runtime';
import { programImage } from './runtime';
import { Miss, until } from './client';

type Container = V1PodSpec['containers'][number];

/** A pod of the test program. */
export function programPod(
  name: string,
  container: Partial<Container> = {},
  spec: Partial<V1PodSpec> = {},
  metadata: { labels?: Record<string, string> } = {},
): V1Pod {
  return {
    metadata: { name, ...metadata },
    spec: {
      terminationGracePeriodSeconds: 5,
      containers: [
        {
          name: 'main',
          image: `${programImage}:1.0.0`,
          command: ['/program'],
          args: ['serve'],
          ports: [{ name: 'http', containerPort: 8080 }],
          readinessProbe: {
            httpGet: { path: '/readyz', port: 'http' },
            periodSeconds: 1,
            failureThreshold: 1,
          },
          ...container,
        },
      ],
      ...spec,
    },
  };
}

interface About {
  pid: number;
  env: Record<string, string>;
  args: string[];
  cwd: string;
}

/** Requests to the process of a pod, at its loopback port. */
export function program(test: TestRuntime, pod: string, namespace = 'default') {
  const port = () => {
    const found = test.runtime
      .status()
      .flatMap(({ pods }) =>
        pods.filter((candidate) => candidate.pod === pod && candidate.namespace === namespace),
      );
    const ports = found[0]?.ports[8080];
    if (ports === undefined) throw new Error(`pod ${pod} has no process`);
    return ports;
  };
  const ask = async <T>(path: string) => {
    const response = await fetch(`http://127.0.0.1:${port()}${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    about: () => ask<About>('/about'),
    file: (file: string) => ask<string>(`/file?path=${encodeURIComponent(file)}`),
    /** Writes a line to its log. */
    say: (text: string) => ask<null>(`/say?text=${encodeURIComponent(text)}`),
    tell: (command: 'set-unready' | 'set-dead' | 'crash') => ask<unknown>(`/${command}`),
    fileWhen: (file: string, holds: (content: string) => boolean) =>
      until(file, async () => {
        const content = await ask<string>(`/file?path=${encodeURIComponent(file)}`);
        return holds(content) ? content : new Miss(content);
      }),
  };
}
