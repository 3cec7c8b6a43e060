import path from 'node:path';
import { Command } from 'commander';
import { currentCloud } from '../../components/azure/clouds';
import { createAzureAccess } from '../../verification/azureAccess';
import { createAzureReader, readService } from '../azureReader';
import { ambientSubscription, selectedSubscription, stackCloud } from '../azureTarget';
import { capture } from '../capture';
import { example } from '../example';
import { createGraphReader } from '../graphReader';
import { inJson } from '../json';
import { print } from '../print';
import { findProject, listStacks, readStack } from '../project';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { checkStackFile } from '../../stacks/stackFile';
import { readStackOutputs, type DeployedOutputs } from '../stackOutputs';
import { UserError } from '../userError';
import { azureLists } from '../azureLists';
import { clusterFindings, readWebhook } from './clusters';
import { readDocument } from './document';
import { explain, plain } from './failures';
import { checked, type Finding } from './finding';
import { renderFindings, renderKnown } from './report';
import { subscriptionFindings, type Deployment } from './subscription';
import { workloadFindings } from './workloads';
import { resourceManagerToken, workstationFindings } from './workstation';

interface DoctorFlags {
  stack?: string;
  json: boolean;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .argument(
      '[failure]',
      'code or symptom to explain, such as AADSTS700212 or FailedMount; nothing is checked',
    )
    .option('--stack <name>', 'name of the stack (default: only the workstation is checked)')
    .option(
      '--json',
      'print JSON: {"findings":[{"check","state","detail","hint"}],"failed"}; for a failure, {"known":[{"failure","cause","hint"}]}',
      false,
    )
    .addHelpText('after', '\nExit code: 0 if nothing failed, also with warnings; 1 otherwise.')
    .addHelpText('after', example('doctor --stack dev'))
    .action(async (failure: string | undefined, flags: DoctorFlags) => {
      if (failure !== undefined) explained(failure, flags);
      else process.exitCode = await examine(flags);
    });
}

function explained(failure: string, { stack, json }: DoctorFlags): void {
  if (stack !== undefined)
    throw new UserError('--stack and a failure exclude each other.', 'Use one of them.');
  const known = explain(failure).map((one) => ({
    failure: plain(one.failure),
    cause: plain(one.cause),
    hint: plain(one.hint),
  }));
  print(json ? inJson({ known }) : renderKnown(known));
}

async function examine({ stack, json }: DoctorFlags): Promise<number> {
  const findings = [
    ...(await ofWorkstation(stack)),
    ...(stack === undefined ? await ofSubscription() : await ofStack(stack)),
  ];
  const failed = findings.filter(({ state }) => state === 'failed').length;
  print(json ? inJson({ findings, failed }) : renderFindings(findings));
  return failed === 0 ? 0 : 1;
}

const { env } = process;
const folder = (): string => process.cwd();

async function ofWorkstation(stack: string | undefined): Promise<Finding[]> {
  const configured =
    stack === undefined
      ? undefined
      : await stackCloud({ name: stack, cwd: folder() }, env).catch(() => undefined);
  const cloud = configured ?? currentCloud(undefined, env);
  return workstationFindings({
    ...{ env, cwd: folder(), node: process.versions.node, cloud, run: capture, readDocument, now: Date.now },
    token: () => resourceManagerToken(cloud, env),
  });
}

/** Checks the subscription that is selected on this workstation, if one is. */
async function ofSubscription(): Promise<Finding[]> {
  const id = await selectedSubscription(env, folder());
  if (id === undefined) return [];
  return subscriptionFindings(id, azureOf(currentCloud(undefined, env)));
}

function azureOf(cloud: Parameters<typeof createAzureReader>[0]) {
  const lists = azureLists(
    () => Promise.resolve(createAzureReader(cloud, env)),
    () => Promise.resolve(createGraphReader(cloud, env)),
  );
  return { manager: readService(cloud, env, 'resourceManager'), lists };
}

/** Returns what to check in the subscription; of a stack that is not deployed, by its file, if that is valid. */
function deploymentOf(name: string, outputs: DeployedOutputs | undefined): Deployment | undefined {
  if (outputs !== undefined) return { resourceGroup: outputs.resourceGroup, outputs };
  const project = findProject(folder());
  const short = path.posix.basename(name);
  // An unknown stack is a finding already.
  if (!listStacks(project).has(short)) return undefined;
  const { stack, file, text } = readStack(project, short);
  const { configuration } = checkStackFile({ environment: stack, file, text }, projectFiles(project));
  return configuration && { resourceGroup: configuration.settings.resourceGroup.name };
}

async function ofStack(name: string): Promise<Finding[]> {
  const stack = { name, cwd: folder() };
  let outputs: DeployedOutputs | undefined;
  const read = await checked(`stack ${name}`, async () => {
    outputs = await readStackOutputs(stack);
    return `deployed, ${outputs.workloads.length} workloads on ${Object.keys(outputs.clusters).length} clusters`;
  });
  const cloud = await stackCloud(stack, env).catch(() => currentCloud(undefined, env));
  const azure = azureOf(cloud);
  const subscription =
    outputs?.subscriptionId ?? (await ambientSubscription(stack, env).catch(() => undefined));
  const ofAzure =
    subscription === undefined
      ? []
      : await subscriptionFindings(subscription, azure, deploymentOf(name, outputs));
  if (outputs === undefined) return [read, ...ofAzure];
  const access = createAzureAccess(outputs);
  const clusters = await clusterFindings(outputs, { ...access, readDocument, webhook: readWebhook, env });
  // A cluster whose sign-in needs a person would make the client wait.
  const closed = new Set(
    clusters
      .filter(({ check, state }) => check.endsWith(': sign-in') && state === 'failed')
      .map(({ check }) => check.split(':')[0]),
  );
  const open = { ...outputs, workloads: outputs.workloads.filter(({ cluster }) => !closed.has(cluster)) };
  return [
    read,
    ...ofAzure,
    ...clusters,
    ...(await workloadFindings(path.posix.basename(name), open, { ...access, ...azure.lists })),
  ];
}
