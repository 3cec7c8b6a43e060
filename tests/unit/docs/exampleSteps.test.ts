import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { isRecord } from '../../../components/resource/fields';
import { projectRoot, runProcess } from '../../support/command';
import { commandsOf } from '../../support/documentedCommands';

// What pages say of how an example is deployed from nothing. The end-to-end tests deploy them; no `az` runs here.

const folder = 'examples/configurations';
const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const withPrerequisites = readdirSync(path.join(projectRoot, folder)).filter((name) =>
  existsSync(path.join(projectRoot, folder, name, 'prerequisites.yaml')),
);
const commands = (name: string) => commandsOf(`docs/${name}.md`).map(({ command }) => command);

interface Prerequisite {
  readonly id: string;
  readonly properties?: { readonly subnets?: readonly { readonly name: string }[] };
}
const prerequisites = (name: string) => parse(read(`${folder}/${name}/prerequisites.yaml`)) as Prerequisite[];

/** The stack file that the page's `sed` makes of the example. */
async function changedByPage(name: string): Promise<{ config: Record<string, unknown> }> {
  const state = mkdtempSync(path.join(tmpdir(), 'state-'));
  const [line = ''] = commands(name).filter((command) => command.startsWith('sed '));
  const { code, stderr } = await runProcess('bash', ['-c', line.replace('> .state/', `> ${state}/`)]);
  if (code !== 0) throw new Error(stderr);
  const text = readFileSync(path.join(state, `Pulumi.${name}.yaml`), 'utf8');
  rmSync(state, { recursive: true });
  return parse(text) as { config: Record<string, unknown> };
}
const example = (name: string) =>
  parse(read(`${folder}/${name}/Pulumi.${name}.yaml`)) as { config: Record<string, unknown> };
const setting = (name: string) => `aks-workload-identity:${name}`;

describe('what has to exist before an example', () => {
  it.each(withPrerequisites)('%s is made by the commands of its page, before it is deployed', (name) => {
    const all = commands(name);
    const created = all.indexOf(`node examples/prerequisites.mjs ${folder}/${name}/prerequisites.yaml`);
    expect(created).toBeGreaterThan(all.indexOf('eval "$(npx aks-wi cloud env)"'));
    expect(all.findIndex((command) => command.startsWith(`npx aks-wi up --stack ${name}`))).toBeGreaterThan(
      created,
    );
  });

  it.each(['hypershift', 'roles'])('%s is made by commands of the Azure CLI as well', (name) => {
    const azure = commands(name).filter((command) => command.startsWith('az '));
    const names = prerequisites(name).flatMap(({ id, properties }) => [
      path.basename(id),
      ...(properties?.subnets ?? []).map((subnet) => subnet.name),
    ]);
    for (const resource of names)
      expect(azure).toContainEqual(
        expect.stringMatching(new RegExp(`^az .* create .*--name ${resource}( |$)`)),
      );
  });

  it.each(withPrerequisites)('%s has everything in its subscription that the stack file names', (name) => {
    const created = prerequisites(name).map(({ id }) => id);
    const named = [...read(`${folder}/${name}/Pulumi.${name}.yaml`).matchAll(/: (\/subscriptions\/\S+)/g)]
      .map(([, id = '']) => id.replace(/\/(subnets|blobServices)\/.*$/, ''))
      // The local cloud does not look for networks of private endpoints.
      .filter((id) => !id.endsWith('/vnet-shared'));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => !created.includes(id))).toEqual([]);
  });
});

describe('the stack file that the page makes', () => {
  it('of hypershift has the definitions before the operator, and is else the example', async () => {
    const expected = example('hypershift');
    const [management] = expected.config[setting('clusters')] as [
      { hyperShift: { install: { manifests: string[] } } },
    ];
    management.hyperShift.install.manifests.unshift('./.state/definitions.yaml');

    expect(await changedByPage('hypershift')).toEqual(expected);
  });

  it('of applications is the example without what an empty cluster does not have', async () => {
    const expected = example('applications');
    const key = setting('applications');
    const without = (expected.config[key] as unknown[]).filter(
      (item) => isRecord(item) && item['name'] !== 'shop',
    );
    expected.config[key] = JSON.parse(
      JSON.stringify(without).replace(
        'oci://ghcr.io/aks-workload-identity/charts',
        'oci://charts.example.azurecr.io/helm',
      ),
    );

    expect(await changedByPage('applications')).toEqual(expected);
  });
});
