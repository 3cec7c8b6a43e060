import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import * as z from 'zod';
import { apiVersions } from '../../components/azure/resourceManager';
import { createAzureReader } from '../azureReader';
import { stackCloud } from '../azureTarget';
import { example } from '../example';
import { readStackOutputs, type DeployedOutputs } from '../stackOutputs';
import { listsIn } from '../azureLists';
import { UserError } from '../userError';
import { compareIdentities, type ReadIdentity } from './identities';
import { readCluster, readFiles, type LegacyObject } from './objects';
import type { Candidate, Migration } from './plan';
import { planMigration } from './plan';
import { isDone, nextSteps, renderMigration, type Migrated } from './report';
import { reviewFiles, type ReviewPlace } from './review';
import { isTrusted, progressOf } from './steps';
import { print } from '../print';
import { inJson } from '../json';

interface MigrateFlags {
  stack?: string;
  cluster?: string;
  files?: string[];
  write?: string;
  json: boolean;
}

export function migrateCommand(): Command {
  return new Command('migrate')
    .option('--stack <name>', 'name of the stack')
    .option('--cluster <name>', 'cluster')
    .option('--files <path...>', 'YAML files with the objects, instead of a cluster')
    .option(
      '--write <folder>',
      'write federated credentials, annotations, labels and applications to this folder, for review',
    )
    .option(
      '--json',
      'print JSON: {"done","workloads":[…],"obstacles":[…],"unchecked":[…],"next":[…]}',
      false,
    )
    .addHelpText('after', example('migrate --stack dev --cluster aks-1'))
    .action(migrate);
}

/** The objects to migrate and their context. */
interface Source {
  readonly where: string;
  readonly place: ReviewPlace;
  readonly objects: readonly LegacyObject[];
  readonly outputs?: DeployedOutputs;
  /** Undefined for files. */
  readonly readIdentity?: ReadIdentity;
}

async function migrate({ write, json, ...flags }: MigrateFlags): Promise<void> {
  const source = flags.files === undefined ? await clusterSource(flags) : filesSource(flags.files, flags);
  const { where, objects, place, outputs, readIdentity } = source;
  const planned = planMigration(objects, { isComplete: readIdentity !== undefined });
  const compared = readIdentity && (await compareIdentities(planned.candidates, place.issuer, readIdentity));
  const migration: Migration = {
    ...planned,
    candidates: planned.candidates.filter((candidate) => compared?.credentials.has(candidate) ?? true),
    obstacles: [...planned.obstacles, ...(compared?.obstacles ?? [])],
  };
  const migrated = migration.candidates.map((candidate): Migrated => {
    const { namespace, serviceAccount } = candidate;
    const workload = outputs?.workloads.find(
      (deployed) =>
        deployed.cluster === place.cluster &&
        deployed.namespace === namespace &&
        deployed.serviceAccount === serviceAccount &&
        deployed.signIn !== undefined,
    );
    return {
      candidate,
      progress: progressOf(candidate, objects, place.issuer, compared?.credentials.get(candidate)),
      application: workload?.application,
    };
  });
  const isTrustedIn = (candidate: Candidate) =>
    isTrusted(candidate, place.issuer, compared?.credentials.get(candidate) ?? []);
  if (write !== undefined) writeReview(write, migrated, place, isTrustedIn);
  print(json ? inJson(plain(migration, migrated)) : renderMigration(where, migration, migrated));
}

async function clusterSource({ stack: name, cluster }: Omit<MigrateFlags, 'json'>): Promise<Source> {
  if (name === undefined || cluster === undefined)
    throw new UserError(
      name === undefined ? 'No cluster and no files are named.' : 'The cluster to migrate is not named.',
      'Add --stack NAME and --cluster NAME, or --files PATH….',
    );
  const stack = { name, cwd: process.cwd() };
  const outputs = await readStackOutputs(stack);
  const kubeconfig = outputs.kubeconfigs[cluster];
  if (kubeconfig === undefined)
    throw new UserError(
      `The deployed stack has no cluster ${cluster}. It has: ${Object.keys(outputs.kubeconfigs).join(', ')}.`,
      'Name one of these.',
    );
  const { issuer } = z.object({ issuer: z.string() }).parse(outputs.clusters[cluster]);
  const cloud = await stackCloud(stack, process.env);
  const azure = createAzureReader(cloud, process.env);
  const lists = listsIn(() => Promise.resolve(cloud), process.env, azure);
  return {
    where: `${cluster} of the stack ${name}`,
    place: { cluster, issuer, tenantId: outputs.tenantId },
    objects: await readCluster(cluster, kubeconfig),
    outputs,
    async readIdentity(id) {
      const identity = await azure.get(id, apiVersions.identities);
      return (
        identity && {
          clientId: String(identity.properties.clientId),
          credentials: await lists.listCredentials(id),
        }
      );
    },
  };
}

function filesSource(
  files: readonly string[],
  { stack, cluster = 'CLUSTER' }: Omit<MigrateFlags, 'json'>,
): Source {
  if (stack !== undefined) throw new UserError('--stack and --files exclude each other.', 'Use one of them.');
  return {
    where: files.join(', '),
    place: { cluster, issuer: 'ISSUER', tenantId: 'TENANT' },
    objects: readFiles(files),
  };
}

/** Writes the review files, without the stack's own applications, which an update migrates. */
function writeReview(
  folder: string,
  migrated: readonly Migrated[],
  place: ReviewPlace,
  isTrustedIn: (candidate: Candidate) => boolean,
): void {
  const others = migrated.filter(({ application }) => application === undefined);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of reviewFiles(
    others.map(({ candidate }) => candidate),
    place,
    isTrustedIn,
  ))
    writeFileSync(path.join(folder, name), text);
}

function plain(migration: Migration, migrated: readonly Migrated[]) {
  return {
    done: isDone(migration),
    workloads: migrated.map(
      ({ candidate: { kind, namespace, name, serviceAccount, identity }, ...rest }) => ({
        ...{ kind, namespace, name, serviceAccount, identity: identity.resourceId },
        ...rest,
      }),
    ),
    obstacles: migration.obstacles,
    unchecked: migration.unchecked,
    next: nextSteps(migration, migrated),
  };
}
