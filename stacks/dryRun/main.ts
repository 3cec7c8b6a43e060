// Tells who could use what if a stack file were deployed: a process of its own, since the SDK's mocks are global. It reads a request
// in JSON from standard input, and writes the answer in JSON.
import { readFileSync } from 'node:fs';
import { fieldsOf } from '../../components/resource/fields';
import { accessOf } from '../access/reach';
import { checkStackFile } from '../checks/stackFile';
import { projectFiles } from '../settings/projectFiles';
import { readYaml } from '../settings/yamlPlaces';
import { leaveUnreadStackTraces } from '../stackTraces';
import { givenUnread } from './given';
import { registrationOf } from './registration';
import type { DryRunAnswer, DryRunRequest } from './request';

leaveUnreadStackTraces();

async function answer({ project, subscriptionId, ...stackFile }: DryRunRequest): Promise<DryRunAnswer> {
  const { configuration, problems } = checkStackFile(stackFile, projectFiles(project));
  if (configuration === undefined) return { problems };
  process.chdir(project);
  const all = fieldsOf(fieldsOf(readYaml(stackFile.text).content).config);
  const config = Object.fromEntries(
    Object.entries(all).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
  const stack = await registrationOf(configuration, config);
  const own = config['azure-native:subscriptionId'] ?? subscriptionId;
  const access = accessOf(stack, configuration.environment, own ?? '');
  return { access: { ...access, unread: [...access.unread, ...givenUnread(all)] } };
}

void answer(JSON.parse(readFileSync(0, 'utf8')) as DryRunRequest).then((told) => {
  process.stdout.write(JSON.stringify(told));
});
