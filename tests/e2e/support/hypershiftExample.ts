import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HostedClusterOutput } from '../../../stacks/outputs/hostedClusterOutput';
import { Miss, until } from '../../../localcloud/tests/support/kubernetes/client';
import type { AzureClients } from '../../support/azureClients';
import { commandsOf } from '../../support/documentedCommands';
import type { LocalCloud, StackRequest } from '../../support/localCloud';
import { runDocumented } from './documentedSteps';

export const stack = 'hypershift';
export const vault = 'kv-wi-hypershift';

/** Returns the page's commands, from the start of the local cloud to the deployment of the example. */
function stepsOfPage(): string[] {
  const commands = commandsOf('docs/hypershift.md').map(({ command }) => command);
  const last = commands.findIndex((command) => command.startsWith(`npx aks-wi up --stack ${stack} `));
  return commands.slice(commands.indexOf('npx aks-wi cloud start'), last + 1);
}

/** The deployed example of docs/hypershift.md. */
export class HypershiftExample {
  private constructor(
    readonly cloud: LocalCloud,
    readonly azure: AzureClients,
    /** Text of the stack file, with HyperShift's definitions next to its operator. */
    readonly yaml: string,
  ) {}

  /**
   * Deploys the example with the page's commands. One update creates the management cluster, HyperShift's definitions and
   * operator on it, and the hosted clusters.
   */
  static async deploy(cloud: LocalCloud): Promise<HypershiftExample> {
    await runDocumented(cloud, stepsOfPage());
    const yaml = readFileSync(path.join(cloud.state, `Pulumi.${stack}.yaml`), 'utf8');
    const azure = await cloud.azure();
    const deployed = new HypershiftExample(cloud, azure, yaml);
    // This is the last class that the operator creates.
    await deployed.secretProviderClass('managed-azure-kms');
    return deployed;
  }

  /** Returns the stack file with these lines added to hc1's HyperShift settings. */
  request(...lines: readonly string[]): StackRequest {
    const further = lines.map((line) => `      ${line}\n`).join('');
    return { stack, yaml: this.yaml.replace(/ {6}certificates: /, `${further}$&`) };
  }

  async hosted(name: string): Promise<HostedClusterOutput> {
    const found = (await this.cloud.outputs(stack)).hostedClusters.find((cluster) => cluster.name === name);
    if (found === undefined) throw new Error(`the outputs have no hosted cluster ${name}`);
    return found;
  }

  /** Resolves with a SecretProviderClass of hc1, once HyperShift's operator has created it and it contains the text. */
  async secretProviderClass(name: string, text = ''): Promise<{ spec: unknown }> {
    const { custom } = await this.cloud.kubernetes('management');
    const kind = { group: 'secrets-store.csi.x-k8s.io', version: 'v1', plural: 'secretproviderclasses' };
    return until(`the class ${name}`, async () => {
      const found = (await custom
        .getNamespacedCustomObject({ ...kind, namespace: 'clusters-hc1', name })
        .catch((error: unknown) => new Miss(String(error)))) as { spec: unknown } | Miss;
      if (found instanceof Miss) return found;
      return JSON.stringify(found.spec).includes(text) ? found : new Miss(JSON.stringify(found.spec));
    });
  }

  /** Returns the resource manager's URL for a path in the subscription. */
  address(rest: string): string {
    return `https://management.azure.com/subscriptions/${this.azure.subscriptionId}/${rest}`;
  }
}
