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

/** A stack file of one cluster, with the applications. */
export function stackText(name: string, applications = ''): string {
  return `config:
  aks-workload-identity:location: westeurope
  aks-workload-identity:resourceGroup: rg-${name}
  aks-workload-identity:vault: { name: kv-${name} }
  aks-workload-identity:clusters: [{ name: aks-1 }]
  aks-workload-identity:applications: [${applications}]
`;
}
