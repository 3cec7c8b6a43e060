import { checkStackFile, formatPlaced } from '../../../stacks/stackFile';

/** The check of a stack file, and its problems as lines. */
export function check(text: string, files: Record<string, string> = {}, environment = 'test') {
  const found = checkStackFile(
    { environment, file: `Pulumi.${environment}.yaml`, text },
    (name) => files[name],
  );
  return { ...found, lines: found.problems.map(formatPlaced) };
}

/** A stack file that is valid. */
export const head = `config:
  aks-workload-identity:location: westeurope
  aks-workload-identity:resourceGroup: rg-test
  aks-workload-identity:vault: { name: kv-test }
  aks-workload-identity:clusters:
    - name: aks-1
`;
