import { accessOf } from '../access/reach';
import { checkStackFile } from '../checks/stackFile';
import { clock } from '../settings/clock';
import { projectFiles } from '../settings/projectFiles';
import { readYaml } from '../settings/yamlPlaces';
import { chartsIn, configIn, givenIn, kubeconfigsIn, projectIn } from './given';
import { registrationOf } from './registration';
import type { DryRunAnswer, DryRunRequest } from './request';

/** Who could use what if a stack file were deployed. It runs in the folder of the project. */
export async function answer({
  project,
  subscriptionId,
  ...stackFile
}: DryRunRequest): Promise<DryRunAnswer> {
  const readFile = projectFiles(project);
  const { configuration, problems } = checkStackFile(stackFile, readFile, clock(process.env));
  if (configuration === undefined) return { problems };
  const { content } = readYaml(stackFile.text);
  const all = configIn(content);
  const config = Object.fromEntries(
    Object.entries(all).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
  const stack = await registrationOf(configuration, config);
  const own = config['azure-native:subscriptionId'] ?? subscriptionId;
  const access = accessOf(stack, configuration.environment, own ?? '');
  return {
    access: {
      ...access,
      unread: [...access.unread, ...kubeconfigsIn(all)],
      given: [
        ...givenIn(content, all),
        ...projectIn(readFile('Pulumi.yaml') ?? ''),
        ...chartsIn(stack.resources, project),
      ],
    },
  };
}
