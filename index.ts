import path from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { partOfOwnStack } from './stacks/cells';
import { readConfiguration } from './stacks/readConfiguration';
import { deployEnvironment } from './stacks/deploy/environment';
import { readCentral } from './stacks/outputs/central';
import { environmentOutputs } from './stacks/outputs/environmentOutputs';
import { allowWhatIsInEntra, refuseWhatIsInAzure } from './stacks/preflight/inAzureAlready';
import { preflight } from './stacks/preflight/preflight';
import { Subscriptions } from './stacks/subscriptions';
import { setPulumiCommand } from './components/resource/errors';
import { currentCloud } from './components/azure/clouds';
import { encryptedKeys } from './stacks/settings/encryptedKeys';
import { clock } from './stacks/settings/clock';
import { ownVariables } from './stacks/settings/ownVariables';
import { projectFiles } from './stacks/settings/projectFiles';
import { sendDebugMessagesTogether } from './stacks/debugMessages';
import { withoutVersionAliases } from './stacks/versionAliases';
import { leaveUnreadStackTraces, recordNoStackTracesOfPromises } from './stacks/stackTraces';

leaveUnreadStackTraces();
recordNoStackTracesOfPromises();
sendDebugMessagesTogether();
setPulumiCommand(process.env[ownVariables.pulumi]);

// Every problem of the configuration, or of the existing resources that it names, is reported before any resource in Azure or
// in a cluster is registered.
export = async () => {
  pulumi.runtime.registerStackTransformation(withoutVersionAliases);
  const { env } = process;
  const configFile = env[ownVariables.configFile];
  const configuration = partOfOwnStack(
    readConfiguration(
      pulumi.getStack(),
      pulumi.runtime.allConfig(),
      encryptedKeys(env),
      // The stack file of a cell's environment is beside that of the cell.
      projectFiles(process.cwd(), configFile && path.dirname(configFile)),
      clock(env),
    ),
  );
  const importing = env[ownVariables.importing] !== undefined;
  const cloud = currentCloud(new pulumi.Config('azure-native').get('environment'), env);
  const subscriptions = new Subscriptions(cloud.name);
  const central = configuration.cell && (await readCentral(configuration));
  await preflight(configuration, subscriptions, { importing, cloud });
  if (importing) allowWhatIsInEntra();
  const refuseExisting = importing ? undefined : refuseWhatIsInAzure(configuration);
  const outputs = environmentOutputs(
    configuration,
    deployEnvironment(configuration, subscriptions, cloud, central),
  );
  await refuseExisting?.();
  return outputs;
};
