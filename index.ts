import * as pulumi from '@pulumi/pulumi';
import { readConfiguration } from './stacks/configuration/configuration';
import { encryptedKeys } from './stacks/configuration/encryptedKeys';
import { projectFiles } from './stacks/configuration/projectFiles';
import { deployEnvironment } from './stacks/environment/environment';
import { Subscriptions } from './stacks/environment/subscriptions';
import { refuseWhatIsInAzure } from './stacks/existing/inAzureAlready';
import { preflight } from './stacks/existing/preflight';
import { leaveUnreadStackTraces } from './stacks/stackTraces';

leaveUnreadStackTraces();

// Everything that is wrong with the configuration, or with what it says is there already, is reported before anything
// is registered that is in Azure or in a cluster.
export = async () => {
  const configuration = readConfiguration(
    pulumi.getStack(),
    pulumi.runtime.allConfig(),
    encryptedKeys(process.env),
    projectFiles(process.cwd()),
  );
  const importing = process.env.AKS_WI_IMPORTING !== undefined;
  const subscriptions = new Subscriptions();
  await preflight(configuration, subscriptions, { importing });
  if (!importing) refuseWhatIsInAzure(configuration.environment);
  return deployEnvironment(configuration, subscriptions);
};
