import { deployEnvironment } from '../../../stacks/deploy/environment';
import { environmentOutputs } from '../../../stacks/outputs/environmentOutputs';
import type { PendingOutputs } from '../../../stacks/outputs/outputs';
import type { Configuration } from '../../../stacks/plan';
import { cloudOf } from '../../../stacks/settings/clouds';
import { Subscriptions } from '../../../stacks/preflight/subscriptions';

/** Deploys an environment as the program does, and gives what its stack tells. */
export function deployed(configuration: Configuration): PendingOutputs {
  const cloud = cloudOf('public');
  return environmentOutputs(configuration, deployEnvironment(configuration, new Subscriptions(), cloud));
}
