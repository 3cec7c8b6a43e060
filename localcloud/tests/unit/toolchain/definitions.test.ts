import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { completeDefinition } from '../../../toolchain/definitions';
import { failureOf, Workshop } from './workshop';

let workshop: Workshop | undefined;
afterEach(async () => {
  await workshop?.close();
  workshop = undefined;
});

const file = 'apiextensions.k8s.io_v1_customresourcedefinition_things.storage.azure.com.yaml';

describe('the custom resource definitions of Azure Service Operator', () => {
  it('are next to the binary, under the operator’s names', async () => {
    workshop = await Workshop.open();
    await workshop.fill();
    const binary = await workshop.built('azure-service-operator');

    const folder = await workshop.toolchain().definitions();

    expect(folder).toBe(path.join(path.dirname(binary), 'crds'));
    expect(await readdir(folder)).toEqual([file]);
    expect((await readdir(path.dirname(folder))).sort()).toEqual([
      '.azure-service-operator.json',
      'azure-service-operator',
      'crds',
    ]);
  });

  it('contain what the vendor’s release process adds', async () => {
    workshop = await Workshop.open();
    await workshop.fill();
    const folder = await workshop.toolchain().definitions();

    expect(parse(await readFile(path.join(folder, file), 'utf8'))).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: 'things.storage.azure.com',
        annotations: {
          'controller-gen.kubebuilder.io/version': 'v0.20.1',
          'cert-manager.io/inject-ca-from': 'azureserviceoperator-system/azureserviceoperator-serving-cert',
        },
        labels: {
          'app.kubernetes.io/name': 'azure-service-operator',
          'app.kubernetes.io/version': 'v2.20.0',
        },
      },
      spec: {
        group: 'storage.azure.com',
        conversion: {
          strategy: 'Webhook',
          webhook: {
            clientConfig: {
              service: {
                name: 'azureserviceoperator-webhook-service',
                namespace: 'azureserviceoperator-system',
                path: '/convert',
                port: 443,
              },
            },
            conversionReviewVersions: ['v1'],
          },
        },
      },
    });
  });

  it.each([
    [
      'fails',
      'echo "no such package" >&2; exit 1',
      /Generating .*azure-service-operator failed: no such package/,
    ],
    ['writes nothing', 'true', /No custom resource definition was generated .*tools\.ts/],
  ])('are part of the build: if the generator %s, nothing counts as built', async (_how, generator, text) => {
    workshop = await Workshop.open({ generator });

    const error = await failureOf(workshop.build());
    expect(error.message).toMatch(text);
    await expect(workshop.toolchain().definitions()).rejects.toThrow('azure-service-operator must be built');
    await workshop.installGo({});
    await workshop.build();

    await expect(workshop.toolchain().definitions()).resolves.toMatch(/crds$/);
  });

  it('are refused if the generator writes another layout', () => {
    const recipe = { owner: 'o', version: 'v1', certificate: 'n/c', conversion: 'n/s' };
    expect(() => completeDefinition('metadata:\n  name: things\n', recipe)).toThrow(
      /does not begin as expected: "metadata:.*definitions\.ts/s,
    );
  });
});

describe('the custom resource definitions of HyperShift', () => {
  const module = 'github.com/openshift/hypershift';
  const place = 'cmd/install/assets/hypershift-operator/zz_generated.crd-manifests';
  const hostedClusters = 'hostedclusters-Hypershift-Default.crd.yaml';

  it('are copied from its module, next to the program for tests', async () => {
    workshop = await Workshop.open();
    await workshop.fill();
    const binary = await workshop.built('hosted-cluster-pod');

    const folder = await workshop.toolchain().definitions('hosted-cluster-pod');

    expect(folder).toBe(path.join(path.dirname(binary), 'crds'));
    expect((await readdir(folder)).sort()).toEqual([hostedClusters, 'nodepools-Default.crd.yaml']);
    expect(await readFile(path.join(folder, hostedClusters), 'utf8')).toContain(place);
  });

  it('are built again if one of them is lost', async () => {
    workshop = await Workshop.open();
    await workshop.fill();
    const folder = await workshop.toolchain().definitions('hosted-cluster-pod');
    await rm(path.join(folder, hostedClusters));

    await workshop.build();
    expect(await readdir(folder)).toContain(hostedClusters);
  });

  it('are named if its module does not have them', async () => {
    workshop = await Workshop.open();
    await rm(workshop.fetched(module, place, hostedClusters));

    const error = await failureOf(workshop.build());
    expect(error.message).toContain(`${module} has no file ${place}/${hostedClusters}`);
  });
});
