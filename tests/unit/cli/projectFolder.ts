import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A project's folder with the files, removed after `use`. */
export async function withProject<T>(
  files: Record<string, string>,
  use: (folder: string) => Promise<T> | T,
): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'aks-wi-project-'));
  try {
    for (const [name, text] of Object.entries({ 'Pulumi.yaml': 'name: test\n', ...files })) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Collects what the process writes, until the spies are restored. */
export function capturedOutput() {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  return { written, spies };
}

/** A hosted cluster of a stack file, with a release file. */
export const hostedCluster = JSON.stringify({
  ...{ name: 'hc1', managementCluster: 'aks-1', issuer: 'https://issuer.example/hc1' },
  ...{ authentication: 'WorkloadIdentities', release: './hosted-clusters/hc1.yaml' },
  resourceGroup: '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/hc1',
  subnet:
    '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes',
  securityGroup:
    '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/net/providers/Microsoft.Network/networkSecurityGroups/nsg',
});

/** A stack file of one cluster, with the applications and the hosted clusters. */
export function stackText(name: string, applications = '', hostedClusters = ''): string {
  return `config:
  aks-workload-identity:location: westeurope
  aks-workload-identity:resourceGroup: rg-${name}
  aks-workload-identity:vault: { name: kv-${name} }
  aks-workload-identity:clusters: [{ name: aks-1 }]
  aks-workload-identity:applications: [${applications}]
  aks-workload-identity:hostedClusters: [${hostedClusters}]
  aks-workload-identity:policies: { production: ${name === 'prod'} }
`;
}
