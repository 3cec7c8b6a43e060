import type { Properties, Value } from '../../../../plugins/protocol';
import { reveal } from '../../../../plugins/protocol';
import { Plugin, detailsOf, failureFrom, urn } from './support/plugin';
import type { PluginCluster } from './support/pluginCluster';

const namespace = 'workloads';
const deploymentType = 'kubernetes:apps/v1:Deployment';

function at(value: Value | undefined, ...path: string[]): unknown {
  let current: unknown = reveal(value ?? null);
  for (const key of path) current = (current as Record<string, unknown> | undefined)?.[key];
  return current;
}

/** A deployment whose pods run at once, unless no node fits. */
function deployment(
  name: string,
  members: { spec?: Properties; pod?: Properties; app?: string } = {},
): Properties {
  const labels = { app: members.app ?? name };
  return {
    metadata: { name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'main',
              image: 'example.com/app:1',
              resources: { requests: { cpu: '0.05', memory: '0.5Gi' } },
            },
          ],
          ...members.pod,
        },
      },
      ...members.spec,
    },
  };
}

const unschedulable = { pod: { nodeSelector: { 'kubernetes.io/hostname': 'nowhere' } } };

/** Objects that the plugin waits for: deployments, services, jobs, deletions. */
export function workloadsSuite(cluster: PluginCluster): void {
  let plugin: Plugin;
  beforeAll(async () => {
    await cluster.namespace(namespace);
    plugin = await cluster.plugin(namespace);
  });
  afterAll(() => plugin.stop());

  describe('a deployment', () => {
    it('is created when its replicas are ready, scaled in place, and shows no drift', async () => {
      const resource = urn(deploymentType, 'web');

      const created = await plugin.create(resource, deployment('web'));
      expect(at(created.state['status'], 'availableReplicas')).toBe(2);

      // The server writes cpu 0.05 as 50m and sets defaults; neither is a change.
      const refreshed = await plugin.read(resource, created.id, created.state, created.inputs);
      expect(refreshed?.inputs).toEqual(created.inputs);

      const scaled = await plugin.update(resource, created, deployment('web', { spec: { replicas: 3 } }));
      expect(at(scaled.state['status'], 'availableReplicas')).toBe(3);
      await plugin.delete(resource, scaled);
      expect(await plugin.read(resource, scaled.id, scaled.state, scaled.inputs)).toBeUndefined();
    });

    it('has to be replaced when its selector changes, old one first because of its name', async () => {
      const resource = urn(deploymentType, 'selected');
      const created = await plugin.create(resource, deployment('selected'));

      const news = await plugin.check(resource, deployment('selected', { app: 'else' }), created.inputs);
      const diff = await plugin.diff(resource, created, news);

      expect(diff.getReplacesList()).toEqual(['spec.selector']);
      expect(diff.getDeletebeforereplace()).toBe(true);
      expect(detailsOf(diff)).toEqual({
        'spec.selector.matchLabels.app': 'UPDATE_REPLACE',
        'spec.template.metadata.labels.app': 'UPDATE',
      });
    });

    it('that does not get ready is recorded with the reasons of its pods, and repaired by the next update', async () => {
      const resource = urn(deploymentType, 'stuck');

      const failure = await failureFrom(
        plugin.create(resource, deployment('stuck', unschedulable), { timeoutSeconds: 3 }),
      );

      expect(failure.partial?.id).toBe('workloads/stuck');
      const reasons = failure.partial?.reasons.join('\n');
      expect(reasons).toContain("Deployment 'workloads/stuck' was created, but did not become ready");
      expect(reasons).toContain('0 of 2 replicas ready');
      expect(reasons).toMatch(/pod stuck-\S+: Unschedulable: /);

      const recorded = failure.partial ?? { id: '', state: {}, inputs: {} };
      const repaired = await plugin.update(resource, recorded, deployment('stuck'));
      expect(at(repaired.state['status'], 'availableReplicas')).toBe(2);
    });

    it('is not waited for if its annotation says so', async () => {
      const inputs = deployment('detached', unschedulable);
      const created = await plugin.create(urn(deploymentType, 'detached'), {
        ...inputs,
        metadata: { name: 'detached', annotations: { 'pulumi.com/skipAwait': 'true' } },
      });

      expect(created.id).toBe('workloads/detached');
    });
  });

  describe('a service', () => {
    const serviceType = 'kubernetes:core/v1:Service';
    const service = (name: string, members: Properties): Properties => ({
      metadata: { name },
      spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...members },
    });

    it('is ready with its pods, and its address cannot be changed in place', async () => {
      const resource = urn(serviceType, 'front');
      await plugin.create(urn(deploymentType, 'front'), deployment('front'));

      const created = await plugin.create(resource, service('front', {}));

      expect(at(created.state['spec'], 'clusterIP')).toMatch(/^10\./);
      const news = await plugin.check(resource, service('front', { clusterIP: 'None' }), created.inputs);
      expect((await plugin.diff(resource, created, news)).getReplacesList()).toEqual(['spec.clusterIP']);
    });

    it('without a cluster address is ready at once', async () => {
      const created = await plugin.create(urn(serviceType, 'none'), service('none', { clusterIP: 'None' }));

      expect(created.id).toBe('workloads/none');
    });

    it('that waits for a load balancer reports that there is none', async () => {
      const failure = await failureFrom(
        plugin.create(urn(serviceType, 'outside'), service('outside', { type: 'LoadBalancer' }), {
          timeoutSeconds: 1,
        }),
      );

      expect(failure.partial?.reasons.join()).toContain('no load balancers');
    });
  });

  describe('a job', () => {
    it('is awaited until it completes', async () => {
      const created = await plugin.create(urn('kubernetes:batch/v1:Job', 'once'), {
        metadata: { name: 'once' },
        spec: {
          template: {
            spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/job:1' }] },
          },
        },
      });

      expect(at(created.state['status'], 'succeeded')).toBe(1);
    });
  });

  describe('a deletion that hangs', () => {
    it('reports the unfinished finalizers', async () => {
      const resource = urn('kubernetes:core/v1:ConfigMap', 'held');
      const created = await plugin.create(resource, {
        metadata: { name: 'held', finalizers: ['example.com/never'] },
      });

      const failure = await failureFrom(plugin.delete(resource, created, 1));

      expect(failure.message).toContain("ConfigMap 'workloads/held' could not be deleted");
      expect(failure.message).toContain('example.com/never');
    });

    // Only these kinds: allowsSkipAwaitWithDelete in metadata/overrides.go of pulumi-kubernetes.
    it.each<[string, string, Properties, boolean]>([
      ['an object of any kind is', 'kubernetes:core/v1:ConfigMap', {}, true],
      ['a deployment is not', deploymentType, deployment('unawaited'), false],
    ])('%s waited for if its readiness is not', async (_, type, inputs, waits) => {
      const resource = urn(type, 'unawaited');
      const created = await plugin.create(resource, {
        ...inputs,
        metadata: {
          name: 'unawaited',
          annotations: { 'pulumi.com/skipAwait': 'true' },
          finalizers: ['example.com/never'],
        },
      });

      const outcome = await plugin.delete(resource, created, 1).then(
        () => 'done',
        () => 'waited',
      );

      expect(outcome).toBe(waits ? 'waited' : 'done');
    });
  });

  describe('a cluster that does not answer', () => {
    it('does not fail a preview, but is named when something must be read', async () => {
      const lost = await Plugin.start({}, cluster.folder(namespace));
      await lost.configure({ kubeconfig: cluster.kubeconfig.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1') });
      const resource = urn(deploymentType, 'web');

      const preview = await lost.create(resource, deployment('web'), { preview: true });
      const failure = await failureFrom(lost.read(resource, 'workloads/web', preview.state, preview.inputs));
      await lost.stop();

      expect(at(preview.state['spec'], 'replicas')).toBe(2);
      expect(failure.message).toContain('https://127.0.0.1:1');
    });
  });
}
