import * as pulumi from '@pulumi/pulumi';
import { readConfiguration } from './stacks/configuration';
import { deployEnvironment } from './stacks/deploy/environment';
import { environmentOutputs } from './stacks/outputs/environmentOutputs';
import { allowWhatIsInEntra, refuseWhatIsInAzure } from './stacks/preflight/inAzureAlready';
import { preflight } from './stacks/preflight/preflight';
import { Subscriptions } from './stacks/subscriptions';
import { setPulumiCommand } from './components/resource/errors';
import { currentCloud } from './components/azure/clouds';
import { encryptedKeys } from './stacks/settings/encryptedKeys';
import { clock } from './stacks/settings/clock';
import { projectFiles } from './stacks/settings/projectFiles';
import { sendDebugMessagesTogether } from './stacks/debugMessages';
import { withoutVersionAliases } from './stacks/versionAliases';
import { leaveUnreadStackTraces, recordNoStackTracesOfPromises } from './stacks/stackTraces';

leaveUnreadStackTraces();
recordNoStackTracesOfPromises();
sendDebugMessagesTogether();
setPulumiCommand(process.env.AKS_WI_PULUMI);

// Every problem of the configuration, or of the existing resources that it names, is reported before any resource in Azure or
// in a cluster is registered.
export = async () => {
  pulumi.runtime.registerStackTransformation(withoutVersionAliases);
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
  const refuseExisting = importing ? undefined : refuseWhatIsInAzure(configuration.environment);
  const outputs = environmentOutputs(configuration, deployEnvironment(configuration, subscriptions, cloud));
  await refuseExisting?.();
  return outputs;
};
