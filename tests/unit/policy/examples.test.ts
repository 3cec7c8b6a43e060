import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { declared } from '../../../policy/declared';
import { rules, stackRules } from '../../../policy/rules';
import { isAbout } from '../../../policy/rules/rule';
import { readStack } from '../../../policy/stack';
import { checkStackFile } from '../../../stacks/stackFile';
import { project } from '../../../stacks/settings/problem';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { projectRoot } from '../../support/command';
import { record } from '../components/support/recorder';
import { deployed } from '../stacks/deployed';
import { accessIn } from './found';

// What the policies find in the stack files of the repository. What Azure answers is that of mocks, which have not what
// Pulumi.reuse.yaml reuses: tests/e2e/brownfield.test.ts deploys that one.

const readFile = projectFiles(projectRoot);
const folder = 'examples/configurations';
const files = [
  ...readdirSync(projectRoot),
  ...readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  ),
].filter((name) => /(^|\/)Pulumi\.(?!reuse)[^.]+\.yaml$/.test(name));

/** What is found, by the beginning of each finding. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'Pulumi.prod.yaml': ['no-public-vault kv-wi-prod-edit-me: '],
  [`${folder}/revocation/Pulumi.revocation.yaml`]: [
    'overreach aks-1-billing: It can use kv-wi-revocation/shipping-db: ',
    'overreach aks-1-shipping: It can use kv-wi-revocation/billing-db: ',
  ],
};

/** The text of a stack file with the values that each machine sets itself. */
function withSecrets(file: string): string {
  const document = parseDocument(readFileSync(path.join(projectRoot, file), 'utf8'));
  const { config } = document.toJS() as { config: Record<string, unknown> };
  const key = `${project}:secretValues`;
  for (const [name, value] of Object.entries(config[key] ?? {}))
    if (value === null) document.setIn(['config', key, name], { secure: `of ${name}` });
  return document.toString();
}

/** The Secrets Store driver of a management cluster. */
const driver = {
  identity: {
    clientId: '0b2a2d4c-92d5-4ea8-9d1b-3a4e6d1f7c55',
    objectId: '4d1d0b7e-6d2e-4cf8-9a5d-0d7f3a1c2b66',
  },
};
const answers = {
  'azure-native:containerservice:getManagedCluster': {
    addonProfiles: { azureKeyvaultSecretsProvider: driver },
  },
};

async function findingsIn(file: string): Promise<string[]> {
  const environment = file.split('.').at(-2) ?? '';
  const text = withSecrets(file);
  const { configuration, problems } = checkStackFile({ environment, file, text }, readFile);
  if (configuration === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  const recording = await record(() => deployed(configuration), { answers });
  const { registrations, state } = recording;
  const stack = readStack({ environment, text }, readFile);
  const single = state.flatMap(({ urn, name, type }) => {
    const props =
      registrations.find((registration) => registration.type === type && registration.name === name)
        ?.inputs ?? {};
    const resource = declared({ urn, name, props, provider: type });
    return rules
      .filter((rule) => isAbout(rule, resource))
      .flatMap((rule) =>
        rule.check(resource, stack.environment).map((what) => `${rule.name} ${name}: ${what}`),
      );
  });
  const all = state.map(({ urn, name, outputs }) => declared({ urn, name, props: outputs }));
  const access = () => accessIn(recording, stack.workloads);
  const together = stackRules.flatMap(({ name, checkAll }) =>
    checkAll(all, stack.environment, access).map(
      ({ resource, problem }) => `${name} ${resource.name}: ${problem}`,
    ),
  );
  return [...single, ...together];
}

it.each(files)('%s', async (file) => {
  const all = (expected[file] ?? []).map((expectation) => expect.stringContaining(expectation) as string);
  expect(await findingsIn(file)).toEqual(all);
});
