import * as pulumi from '@pulumi/pulumi';
import { readConfiguration } from './stacks/configuration';
import { deployEnvironment } from './stacks/deploy/environment';
import { environmentOutputs } from './stacks/outputs/environmentOutputs';
import { allowWhatIsInEntra, refuseWhatIsInAzure } from './stacks/preflight/inAzureAlready';
import { preflight } from './stacks/preflight/preflight';
import { Subscriptions } from './stacks/subscriptions';
import { sayPulumiAs } from './components/resource/errors';
import { currentCloud } from './components/azure/clouds';
import { encryptedKeys } from './stacks/settings/encryptedKeys';
import { clock } from './stacks/settings/clock';
import { projectFiles } from './stacks/settings/projectFiles';
import { leaveUnreadStackTraces } from './stacks/stackTraces';

leaveUnreadStackTraces();
sayPulumiAs(process.env.AKS_WI_PULUMI);

// Everything that is wrong with the configuration, or with what it says is there already, is reported before anything
// is registered that is in Azure or in a cluster.
export = async () => {
  const { env } = process;
  const configuration = readConfiguration(
    pulumi.getStack(),
    pulumi.runtime.allConfig(),
    encryptedKeys(env),
    projectFiles(process.cwd()),
    clock(env),
  );
  const importing = env.AKS_WI_IMPORTING !== undefined;
  const cloud = currentCloud(new pulumi.Config('azure-native').get('environment'), env);
  const subscriptions = new Subscriptions(cloud.name);
  await preflight(configuration, subscriptions, { importing, cloud });
  if (importing) allowWhatIsInEntra();
  else refuseWhatIsInAzure(configuration.environment);
  return environmentOutputs(configuration, deployEnvironment(configuration, subscriptions, cloud));
};
