import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HostedClusterOutput } from '../../../stacks/outputs/outputs';
import { loadDefinition } from '../../../localcloud/tests/support/kubernetes/customDefinitions';
import type { AzureClients } from '../../support/azureClients';
import { projectRoot } from '../../support/command';
import type { LocalCloud } from '../../support/localCloud';
import { makeSurroundings } from './hostedClusterSurroundings';

export const stack = 'hypershift';
export const file = 'examples/configurations/hypershift/Pulumi.hypershift.yaml';
export const vault = 'kv-wi-hypershift';

/** Text of the example's stack file. */
export const example = readFileSync(path.join(projectRoot, file), 'utf8');

/** The example of docs/hypershift.md, deployed. */
export class HypershiftExample {
  private constructor(
    readonly cloud: LocalCloud,
    readonly azure: AzureClients,
  ) {}

  /** As the documentation has it: the management cluster, HyperShift's definitions on it, and then the hosted clusters. */
  static async deploy(cloud: LocalCloud): Promise<HypershiftExample> {
    await cloud.start();
    const azure = await cloud.azure();
    await makeSurroundings(azure);
    await cloud.deploy({ stack, yaml: example.replace(/ {2}aks-workload-identity:hostedClusters:[^]*/, '') });
    await loadDefinition(await cloud.kubernetes('management'), 'hostedclusters-Hypershift-Default');
    await cloud.deploy({ stack, file });
    return new HypershiftExample(cloud, azure);
  }

  /** A hosted cluster of the outputs. */
  async hosted(name: string): Promise<HostedClusterOutput> {
    const found = (await this.cloud.outputs(stack)).hostedClusters.find((one) => one.name === name);
    if (found === undefined) throw new Error(`the outputs have no hosted cluster ${name}`);
    return found;
  }

  /** Address of something in the subscription, at the resource manager. */
  address(rest: string): string {
    return `https://management.azure.com/subscriptions/${this.azure.subscriptionId}/${rest}`;
  }
}
