import path from 'node:path';
import { Command } from 'commander';
import { currentCloud, type Cloud } from '../../components/azure/clouds';
import { interactiveSignIn } from '../../components/waiting/interactiveSignIn';
import { createAzureAccess } from '../../verification/azureAccess';
import { readService } from '../azureReader';
import { ambientSubscription, selectedSubscription, stackCloud } from '../azureTarget';
import { capture } from '../capture';
import { example } from '../example';
import { amount } from '../fleet/words';
import { inJson } from '../json';
import { print } from '../print';
import { chosenStackFile, findProject, listStacks } from '../project';
import type { PulumiStack } from '../pulumi';
import { fileWithoutStack, stackFileOption } from '../stackFileOption';
import { readStackOutputs, type DeployedOutputs } from '../stackOutputs';
import { UserError } from '../userError';
import { typeIn } from '../../stacks/access/registered';
import { deployedStack } from '../deployedAccess';
import { listsIn } from '../azureLists';
import { clusterFindings, readWebhook } from './clusters';
import { readDocument } from './document';
import { explain, plain } from './failures';
import { checked, type Finding } from './finding';
import { renderFindings, renderKnown } from './report';
import { newClusters } from './quotas';
import { plannedBy, type Planned } from './stackFile';
import { subscriptionFindings, type Deployment } from './subscription';
import { workloadFindings } from './workloads';
import { resourceManagerToken, workstationFindings } from './workstation';
import { exitCodes } from '../exitCodes';

interface DoctorFlags {
  stack?: string;
  file?: string;
  json: boolean;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .argument(
      '[failure]',
      'code or symptom to explain, such as AADSTS700212 or FailedMount; nothing is checked',
    )
    .option('--stack <name>', 'name of the stack (default: only the workstation is checked)')
    .addOption(stackFileOption())
    .option(
      '--json',
      'print JSON: {"findings":[{"check","state","detail","hint"}],"failed"}; for a failure, {"known":[{"failure","cause","hint"}]}',
      false,
    )
    .addHelpText('after', '\nExit code: 0 if nothing failed, also with warnings; 1 otherwise.')
    .addHelpText('after', example('doctor --stack dev'))
    .action(async (failure: string | undefined, flags: DoctorFlags) => {
      if (flags.file !== undefined && flags.stack === undefined) throw fileWithoutStack('Add --stack NAME.');
      if (failure !== undefined) {
        explained(failure, flags);
        return;
      }
      const code = await examine(flags);
      // It is 1 if a cell could not be read.
      process.exitCode ||= code;
    });
}

function explained(failure: string, { stack, json }: DoctorFlags): void {
  if (stack !== undefined)
    throw new UserError('--stack and a failure exclude each other.', 'Use one of them.');
  const known = explain(failure).map((explanation) => ({
    failure: plain(explanation.failure),
    cause: plain(explanation.cause),
    hint: plain(explanation.hint),
  }));
  print(json ? inJson({ known }) : renderKnown(known));
}

async function examine({ stack: name, file: configFile, json }: DoctorFlags): Promise<number> {
  const stack = name === undefined ? undefined : { name, configFile, cwd: folder() };
  const cloud = await cloudOf(stack);
  const findings = [
    ...(await ofWorkstation(cloud)),
    ...(stack === undefined ? await ofSubscription(cloud) : await ofStack(stack, cloud)),
  ];
  const failed = findings.filter(({ state }) => state === 'failed').length;
  print(json ? inJson({ findings, failed }) : renderFindings(findings));
  return exitCodes.doctor[failed === 0 ? 'done' : 'failed'];
}

const { env } = process;
const folder = (): string => process.cwd();

/** Returns the cloud of a stack; that of the environment without a stack, or if its configuration cannot be read. */
async function cloudOf(stack: PulumiStack | undefined): Promise<Cloud> {
  const ofEnvironment = () => currentCloud(undefined, env);
  if (stack === undefined) return ofEnvironment();
  return stackCloud(stack, env).catch(ofEnvironment);
}

function ofWorkstation(cloud: Cloud): Promise<Finding[]> {
  return workstationFindings({
    ...{ env, cwd: folder(), node: process.versions.node, cloud, run: capture, readDocument, now: Date.now },
    token: () => resourceManagerToken(cloud, env),
  });
}

/** Checks the subscription that is selected on this workstation, if one is. */
async function ofSubscription(cloud: Cloud): Promise<Finding[]> {
  const id = await selectedSubscription(env, folder());
  if (id === undefined) return [];
  return subscriptionFindings(id, azureOf(cloud));
}

function azureOf(cloud: Cloud) {
  const lists = listsIn(() => Promise.resolve(cloud), env);
  return { manager: readService(cloud, env, 'resourceManager'), lists };
}

/** Returns what to check in the subscription: what is deployed, and what the stack file adds. */
function deploymentOf(
  outputs: DeployedOutputs | undefined,
  deployed: readonly string[],
  planned: Planned | undefined,
): Deployment | undefined {
  const resourceGroup = outputs?.resourceGroup ?? planned?.configuration.settings.resourceGroup.name;
  return resourceGroup === undefined
    ? undefined
    : {
        ...{ resourceGroup, outputs, types: [...deployed, ...(planned?.types ?? [])] },
        creates: planned && newClusters(planned.configuration, outputs),
      };
}

/** Reads the file of a stack, by default that in the project. An unknown stack is a finding already, and a deployed one may have its file elsewhere. */
async function ofStackFile(
  name: string,
  filePath: string | undefined,
): Promise<{ findings: Finding[]; planned?: Planned | undefined }> {
  const project = findProject(folder());
  if (filePath === undefined && !listStacks(project).has(name)) return { findings: [] };
  let planned: Planned | undefined;
  const finding = await checked('stack file', async () => {
    const stackFile = chosenStackFile(project, name, filePath);
    planned = await plannedBy(project, stackFile);
    return `${stackFile.file} is valid`;
  });
  return { findings: [finding], planned };
}

async function ofStack(stack: PulumiStack, cloud: Cloud): Promise<Finding[]> {
  const { name, configFile } = stack;
  const short = path.posix.basename(name);
  let outputs: DeployedOutputs | undefined;
  let types: string[] = [];
  const deployed = await checked(`stack ${name}`, async () => {
    const own = await readStackOutputs(stack);
    const { resources } = await deployedStack(stack);
    [outputs, types] = [own, resources.map(({ urn }) => typeIn(urn))];
    return `deployed, ${amount(own.workloads.length, 'workload')} on ${amount(Object.keys(own.clusters).length, 'cluster')}`;
  });
  const { findings: ofFile, planned } = await ofStackFile(short, configFile);
  const read = [deployed, ...ofFile];
  const azure = azureOf(cloud);
  const subscription =
    outputs?.subscriptionId ?? (await ambientSubscription(stack, env).catch(() => undefined));
  const ofAzure =
    subscription === undefined
      ? []
      : await subscriptionFindings(subscription, azure, deploymentOf(outputs, types, planned));
  if (outputs === undefined) return [...read, ...ofAzure];
  const access = createAzureAccess(outputs);
  const clusters = await clusterFindings(outputs, { ...access, readDocument, webhook: readWebhook, env });
  // A cluster whose sign-in needs a person would make the client wait.
  const closed = Object.entries(outputs.kubeconfigs).flatMap(([cluster, kubeconfig]) =>
    interactiveSignIn(kubeconfig, env) === undefined ? [] : cluster,
  );
  const open = {
    ...outputs,
    workloads: outputs.workloads.filter(({ cluster }) => !closed.includes(cluster)),
  };
  return [
    ...read,
    ...ofAzure,
    ...clusters,
    ...(await workloadFindings(short, open, { ...access, ...azure.lists })),
  ];
}
