// A stack with a number of clusters and the same applications on each.
import { stringify } from 'yaml';
import { writeFile } from 'node:fs/promises';

const applications = 5;
const secretsOfEach = 2;

/** Project and namespace of the program's settings. */
const project = 'aks-workload-identity';

/** Writes the stack file. Each application has an identity of its own and two secrets in the central vault. */
export async function writeStackFile(file, clusters) {
  const names = (count, name) => Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
  const specified = names(applications, 'app').map((name) => ({
    name,
    image: 'ghcr.io/aks-workload-identity/reader:0.1.0',
    identity: 'application',
    secrets: names(secretsOfEach, name),
  }));
  const settings = {
    location: 'westeurope',
    resourceGroup: 'rg-bench',
    vault: { name: 'kv-wi-bench', publicAccess: true },
    clusters: names(clusters, 'aks').map((name) => ({ name })),
    applications: specified,
    // Without a value: the local cloud makes one up.
    secretValues: Object.fromEntries(specified.flatMap(({ secrets }) => secrets.map((name) => [name, null]))),
  };
  const config = Object.entries(settings).map(([key, value]) => [`${project}:${key}`, value]);
  await writeFile(file, stringify({ config: Object.fromEntries(config) }, { aliasDuplicateObjects: false }));
}
