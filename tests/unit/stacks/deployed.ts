import * as pulumi from '@pulumi/pulumi';
import type { Central } from '../../../stacks/deploy/central';
import { deployEnvironment } from '../../../stacks/deploy/environment';
import { environmentOutputs } from '../../../stacks/outputs/environmentOutputs';
import type { PendingOutputs } from '../../../stacks/outputs/outputs';
import type { Configuration } from '../../../stacks/plan';
import { currentCloud } from '../../../components/azure/clouds';
import { Subscriptions } from '../../../stacks/subscriptions';
import type { Recording } from '../components/support/recorder';
import { record } from '../components/support/recorder';
import type { Input } from './settings';
import { configurationOf } from './settings';

/**
 * Deploys an environment as the program does, and gives what its stack tells.
 * @param central what the stack of the environment has, for a cell
 */
export function deployed(configuration: Configuration, central?: Central): PendingOutputs {
  const cloud = currentCloud(new pulumi.Config('azure-native').get('environment'), {});
  return environmentOutputs(
    configuration,
    deployEnvironment(configuration, new Subscriptions('public'), cloud, configuration.cell && central),
  );
}

export type Deployment = Recording<PendingOutputs>;

/** Deploys a configuration, which has to be valid, and records what is registered. */
export function deploy(settings: Input): Promise<Deployment> {
  const configuration = configurationOf(settings);
  return record(() => deployed(configuration));
}

/** Answer of the engine about the resources of a stack (pulumi pkg/backend/backend.go, GetStackResourceOutputs). */
export const inState = (state: Deployment['state']): object =>
  Object.fromEntries(
    state.map(({ urn, type, outputs: { id } }) => [urn, { type, outputs: { id: String(id) } }]),
  );
