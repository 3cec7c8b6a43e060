import { existsSync } from 'node:fs';
import path from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { currentCloud } from '../components/azure/clouds';
import { setPages, setPulumiCommand } from '../components/resource/errors';
import { packagedPages } from '../components/resource/pagesHere';
import { partOfOwnStack } from './cells';
import { sendDebugMessagesTogether } from './debugMessages';
import { deployEnvironment } from './deploy/environment';
import { readCentral } from './outputs/central';
import { environmentOutputs } from './outputs/environmentOutputs';
import { allowWhatIsInEntra, refuseWhatIsInAzure } from './preflight/inAzureAlready';
import { preflight } from './preflight/preflight';
import { readConfiguration } from './readConfiguration';
import { clock } from './settings/clock';
import { encryptedKeys } from './settings/encryptedKeys';
import { ownVariables } from './settings/ownVariables';
import { projectFiles } from './settings/projectFiles';
import { leaveUnreadStackTraces, recordNoStackTracesOfPromises } from './stackTraces';
import { Subscriptions } from './subscriptions';
import { withoutVersionAliases } from './versionAliases';

/**
 * Deploys the environment of the current stack, which its stack file describes, and returns the outputs of the stack. The entry
 * point of a Pulumi program exports this function, which the engine calls.
 *
 * Every problem of the configuration, or of the existing resources that it names, is reported before any resource in Azure or
 * in a cluster is registered.
 *
 * @throws InvalidConfigurationError
 */
export async function deploy() {
  leaveUnreadStackTraces();
  recordNoStackTracesOfPromises();
  sendDebugMessagesTogether();
  setPulumiCommand(process.env[ownVariables.pulumi]);
  // Pulumi runs the program in the folder of the project.
  if (existsSync(packagedPages)) setPages(packagedPages);
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
}
