import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Client } from './client';
import { Miss, until } from './client';
import { toolchain } from './runtime';

const definition = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({ group: z.string(), versions: z.array(z.looseObject({ name: z.string() })) }),
});
const published = z.object({
  status: z
    .object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })).optional() })
    .optional(),
});

/** HyperShift's own definitions, as its installation creates them. */
export type HypershiftDefinition = 'hostedclusters-Hypershift-Default' | 'nodepools-Default';

/** Loads a definition of HyperShift into a cluster, and resolves when the API server serves it. */
export async function loadDefinition(
  client: Pick<Client, 'config'>,
  name: HypershiftDefinition,
): Promise<void> {
  const file = path.join(await toolchain.definitions('hosted-cluster-pod'), `${name}.crd.yaml`);
  const body = definition.parse(parse(await readFile(file, 'utf8')));
  const library = await import('@kubernetes/client-node');
  // The typed client drops `x-kubernetes-int-or-string`, without which the API server refuses the schema.
  const objects = client.config.makeApiClient(library.CustomObjectsApi);
  const kind = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' };
  await objects.createClusterCustomObject({ ...kind, body });
  const [group, version] = [body.spec.group, body.spec.versions[0]?.name ?? ''];
  const plural = body.metadata.name.split('.')[0] ?? '';
  await until(`${plural} to be served`, async () => {
    const found = published.parse(
      await objects.getClusterCustomObject({ ...kind, name: body.metadata.name }),
    );
    const isEstablished = found.status?.conditions?.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    );
    if (isEstablished !== true) return new Miss(JSON.stringify(found));
    await objects.listClusterCustomObject({ group, version, plural });
    return true;
  });
}
