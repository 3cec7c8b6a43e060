import { accessOf } from '../access/reach';
import { checkStackFile } from '../stackFile';
import { clock } from '../settings/clock';
import { projectFiles } from '../settings/projectFiles';
import { readYaml } from '../settings/yamlPlaces';
import { chartsIn, configIn, inputsIn, kubeconfigsIn, projectIn } from './fileInputs';
import { partsOf } from './parts';
import { registrationOf } from './registration';
import type { DryRunAnswer, DryRunRequest } from './request';

/** Computes who could use what, or what each stack would have, if a stack file were deployed. It runs in the folder of the project. */
export async function answer({
  project,
  subscriptionId,
  parts,
  ...stackFile
}: DryRunRequest): Promise<DryRunAnswer> {
  const readFile = projectFiles(project);
  const { configuration, problems, ofCell } = checkStackFile(stackFile, readFile, clock(process.env));
  if (configuration === undefined) return { problems };
  const { content } = readYaml(stackFile.text);
  const config = configIn(content);
  const strings = Object.fromEntries(
    Object.entries(config).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  if (parts === true) return { parts: await partsOf(configuration, ofCell, strings) };
  const stack = await registrationOf(configuration, strings);
  const own = strings['azure-native:subscriptionId'] ?? subscriptionId;
  const access = accessOf(stack, configuration.environment, own ?? '');
  return {
    access: {
      ...access,
      unread: [...access.unread, ...kubeconfigsIn(config)],
      fileInputs: [
        ...inputsIn(content, config),
        ...projectIn(readFile('Pulumi.yaml') ?? ''),
        ...chartsIn(stack.resources, project),
      ],
    },
  };
}
