import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HostedClusterOutput } from '../../../stacks/outputs/outputs';
import { Miss, until } from '../../../localcloud/tests/support/kubernetes/client';
import { toolchain } from '../../../localcloud/tests/support/kubernetes/runtime';
import type { AzureClients } from '../../support/azureClients';
import { projectRoot } from '../../support/command';
import type { LocalCloud, StackRequest } from '../../support/localCloud';
import { makeSurroundings } from './hostedClusterSurroundings';

export const stack = 'hypershift';
const folder = 'examples/configurations/hypershift';
export const vault = 'kv-wi-hypershift';

const example = readFileSync(path.join(projectRoot, folder, 'Pulumi.hypershift.yaml'), 'utf8');

/** The example of docs/hypershift.md, deployed. */
export class HypershiftExample {
  private constructor(
    readonly cloud: LocalCloud,
    readonly azure: AzureClients,
    /** The stack file, with HyperShift's definitions beside its operator. */
    readonly yaml: string,
  ) {}

  /** By one update: the management cluster, HyperShift's definitions and operator on it, and the hosted clusters. */
  static async deploy(cloud: LocalCloud): Promise<HypershiftExample> {
    await cloud.start();
    const azure = await cloud.azure();
    await makeSurroundings(azure);
    const definitions = await toolchain.definitions('hosted-cluster-pod');
    const hostedClusters = path.join(definitions, 'hostedclusters-Hypershift-Default.crd.yaml');
    copyFileSync(hostedClusters, path.join(cloud.state, 'definitions.yaml'));
    // The local cloud reads its own state folder there.
    const yaml = example.replace(/manifests: \[/, '$&./.state/definitions.yaml, ');
    await cloud.deploy({ stack, yaml });
    const deployed = new HypershiftExample(cloud, azure, yaml);
    // The last class that the operator makes.
    await deployed.secretProviderClass('managed-azure-kms');
    return deployed;
  }

  /** The stack file, with hc1 as HyperShift's settings of these lines have it. */
  request(...lines: readonly string[]): StackRequest {
    const further = lines.map((line) => `      ${line}\n`).join('');
    return { stack, yaml: this.yaml.replace(/ {6}certificates: /, `${further}$&`) };
  }

  /** A hosted cluster of the outputs. */
  async hosted(name: string): Promise<HostedClusterOutput> {
    const found = (await this.cloud.outputs(stack)).hostedClusters.find((one) => one.name === name);
    if (found === undefined) throw new Error(`the outputs have no hosted cluster ${name}`);
    return found;
  }

  /** A SecretProviderClass of hc1 that HyperShift's operator has made, once it has the text in it. */
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

  /** Address of something in the subscription, at the resource manager. */
  address(rest: string): string {
    return `https://management.azure.com/subscriptions/${this.azure.subscriptionId}/${rest}`;
  }
}
