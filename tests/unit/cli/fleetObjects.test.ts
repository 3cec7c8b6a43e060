import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { parseDocument } from 'yaml';
import type { Counted } from '../../../cli/fleet/limits';
import { objectsOfCell, objectsOfEnvironment, type Objects } from '../../../cli/fleet/objects';
import { project } from '../../../stacks/settings/problem';
import { checkStackFile, formatPlaced } from '../../../stacks/stackFile';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { projectRoot } from '../../support/command';
import { guidOf } from '../components/support/azure';
import { record } from '../components/support/recorder';
import { deployed } from '../stacks/deployed';

// The counts of a plan against what the program registers for the same settings. What it does not prove: how many requests
// Azure counts for one of them.

/** The mocks answer that each vault has role assignments, which "reuse" refuses. */
const examples = readdirSync(path.join(projectRoot, 'examples/configurations')).filter(
  (name) => name !== 'reuse',
);
const types: Partial<Record<Counted, RegExp>> = {
  cluster: /^azure-native:containerservice:ManagedCluster$/,
  identity: /^azure-native:managedidentity:UserAssignedIdentity$/,
  credential: /^azure-native:managedidentity:FederatedIdentityCredential$/,
  roleAssignment: /^azure-native:authorization:RoleAssignment$/,
  entraObject:
    /^azure-native:managedidentity:UserAssignedIdentity$|^azuread:index\/(application|servicePrincipal|group):/,
};

/** The configuration of an example, with the values that each machine sets itself. */
function configurationIn(example: string, grants?: 'condition') {
  const file = `examples/configurations/${example}/Pulumi.${example}.yaml`;
  const text = parseDocument(readFileSync(path.join(projectRoot, file), 'utf8'));
  if (grants !== undefined) {
    text.setIn(['config', `${project}:vault`, 'grants'], grants);
    // An application with two secrets, for which one assignment is enough.
    text.addIn(['config', `${project}:applications`, 0, 'secrets'], 'second-key');
  }
  const check = () =>
    checkStackFile(
      { environment: example, file, text: text.toString() },
      projectFiles(projectRoot),
      new Date('2026-12-01T00:00:00Z'),
    );
  for (const _round of ['values', 'relations'])
    for (const { message } of check().problems) {
      const [, key, name] = /pulumi config set --secret --path '(\w+)\.([^']+)'/.exec(message) ?? [];
      if (key !== undefined)
        text.setIn(['config', `${project}:${key}`, name], { secure: 'v1:a' + (name ?? '') });
    }
  const { configuration, problems } = check();
  if (configuration === undefined) throw new Error(problems.map(formatPlaced).join());
  return configuration;
}

const countOf = (objects: readonly Objects[], kind: Counted) =>
  objects.filter((object) => object.kind === kind).reduce((sum, { count }) => sum + count, 0);

/** Role assignments that the reconciler creates later, in access windows. */
const later: Readonly<Record<string, number>> = { 'access-windows': 3, roles: 2 };

/** The identities with a credential that AKS creates, with the first of their identity bindings. */
const bound: Readonly<Record<string, number>> = { 'identity-bindings': 3 };

describe('the objects of a plan', () => {
  it.each<[example: string, grants?: 'condition']>([
    ...examples.map((example): [string] => [example]),
    ['groups', 'condition'],
  ])('are those that the program registers for %s %s', async (...[example, grants]) => {
    const configuration = configurationIn(example, grants);
    jest.spyOn(pulumi.log, 'warn').mockResolvedValue();
    const reader = { clientId: guidOf('reader'), objectId: guidOf('reader in Entra') };
    const { registrations } = await record(() => deployed(configuration), {
      answers: {
        'azure-native:containerservice:getManagedCluster': {
          addonProfiles: { azureKeyvaultSecretsProvider: { identity: reader } },
        },
      },
    });

    const objects = [...objectsOfCell(configuration), ...objectsOfEnvironment(configuration)];
    const counted = Object.keys(types).map((kind) => [kind, countOf(objects, kind as Counted)]);
    expect(counted).toEqual(
      Object.entries(types).map(([kind, type]) => [
        kind,
        registrations.filter((registration) => type.test(registration.type)).length +
          (kind === 'roleAssignment' ? (later[example] ?? 0) : 0) +
          (kind === 'credential' ? (bound[example] ?? 0) : 0),
      ]),
    );
  });
});
