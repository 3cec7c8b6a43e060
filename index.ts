import * as pulumi from '@pulumi/pulumi';
import { readConfiguration } from './stacks/configuration';
import { encryptedKeys } from './stacks/encryptedKeys';
import { deployEnvironment } from './stacks/environment';
import { readOwnState } from './stacks/ownState';
import { preflight } from './stacks/preflight';
import { projectFiles } from './stacks/projectFiles';
import { Subscriptions } from './stacks/subscriptions';

// Everything that is wrong with the configuration, or with what it says is there already, is reported before anything
// is registered that is in Azure or in a cluster.
export = async () => {
  const configuration = readConfiguration(
    pulumi.getStack(),
    pulumi.runtime.allConfig(),
    encryptedKeys(process.env),
    projectFiles(process.cwd()),
  );
  const subscriptions = new Subscriptions();
  const state = await readOwnState();
  await preflight(configuration, subscriptions, state);
  return deployEnvironment(configuration, subscriptions, state);
};
