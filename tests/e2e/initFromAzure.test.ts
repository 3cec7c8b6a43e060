/**
 * A first stack file from an existing subscription, which the vendors' clients make first. The stack of the file takes trust
 * and grants over, and its first update changes nothing that exists. It does not prove that the documented rights suffice on
 * Azure.
 *
 * The tests are steps of one story and run in order.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/command';
import { ADMINISTRATOR_OBJECT_ID } from '../../localcloud/identity';
import { localCloud } from '../support/localCloud';
import { seedSubscription, type Seeded } from './initFromAzureSeed';

jest.setTimeout(10 * 60_000);

const cloud = localCloud('init-from-azure');
const stack = 'found';
const file = path.relative(projectRoot, path.join(cloud.state, 'Pulumi.found.yaml'));
const request = { stack, file };
const init = ['init', '--from-azure', '--stack', stack, '--local', '--resource-group', 'rg-found'];
let seeded: Seeded;
let before: unknown;

beforeAll(async () => {
  await cloud.start();
  seeded = await seedSubscription(cloud, await cloud.azure());
  before = await seeded.snapshot();
});
afterAll(() => cloud.clean());

it('shows the file and what no application explains, and writes nothing', async () => {
  const report = JSON.parse(await cloud.succeed(...init, '--file', file, '--dry-run', '--json')) as {
    written: boolean;
    problems: string[];
    findings: { kind: string; what: string }[];
  };

  expect(report).toMatchObject({ written: false, problems: [] });
  expect(report.findings.map(({ kind, what }) => `${kind}: ${what}`).sort()).toEqual([
    'broadGrant: id-pipeline',
    ...[ADMINISTRATOR_OBJECT_ID, seeded.foreign].map((id) => `foreignGrant: The principal ${id}`).sort(),
    'foreignIssuer: The federated credential github of id-pipeline',
    'missingAccount: The federated credential by-hand-0 of id-pipeline',
    'noPods: id-jobs',
    'noPods: id-orders',
  ]);
  expect(existsSync(path.join(projectRoot, file))).toBe(false);
});

it('writes the file, and never over one that exists', async () => {
  expect(await cloud.succeed(...init, '--file', file)).toContain('1 cluster, 3 applications');

  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  expect(await cloud.fail(...init, '--file', file)).toContain(`${file} exists, and is not overwritten.`);
  expect(readFileSync(path.join(projectRoot, file), 'utf8')).toBe(text);
});

it('leaves trust and grants to the import, which only reads', async () => {
  const imported = await cloud.succeed(
    ...['import', '--stack', stack, '--local', '--stack-file', file, '--yes'],
  );

  expect(imported).toContain('5 resources are now in the stack.');
  expect(await seeded.snapshot()).toEqual(before);
});

it('is previewed without a change of what exists', async () => {
  const preview = await cloud.preview(request);

  // Components and a provider, which are only in the state, and patches of annotations.
  expect(preview.summary).toEqual([
    'create aks-workload-identity:application:Workload aks-found-hourly',
    'create aks-workload-identity:application:Workload aks-found-nightly',
    'create aks-workload-identity:application:Workload aks-found-orders',
    'create aks-workload-identity:cluster:WorkloadIdentityCluster aks-found',
    'create aks-workload-identity:identity:ManagedIdentity aks-found',
    'create aks-workload-identity:identity:ManagedIdentity aks-found-orders',
    'create kubernetes:core/v1:ServiceAccountPatch aks-found-hourly-account',
    'create kubernetes:core/v1:ServiceAccountPatch aks-found-nightly-account',
    'create kubernetes:core/v1:ServiceAccountPatch aks-found-orders-account',
    'create pulumi:providers:kubernetes aks-found-provider',
  ]);
});

it('is deployed, and leaves all as it is', async () => {
  await cloud.deploy(request);

  expect(await seeded.snapshot()).toEqual(before);
});
