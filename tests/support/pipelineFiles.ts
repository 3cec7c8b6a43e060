import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from './command';

/** Text of a file of the project. */
export const textOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** What a job of either system does, in its order. */
export interface PipelineJob {
  readonly name: string;
  /** Its environment, whose settings it has. */
  readonly environment: string;
  /** Commands of the project, with the system's expressions in them. */
  readonly commands: readonly string[];
  /** Variables that it sets itself, with the system's expressions in them. */
  readonly env: Readonly<Record<string, string>>;
}

interface Step {
  run?: string;
  uses?: string;
  script?: string;
  task?: string;
  template?: string;
  parameters?: Record<string, string>;
  inputs?: Record<string, string>;
  env?: Record<string, string>;
}

/** The jobs of the workflow for GitHub Actions. */
export function gitHubJobs(): PipelineJob[] {
  const { jobs } = parse(textOf('.github/workflows/deploy.yml')) as {
    jobs: Record<string, { environment: string; env: Record<string, string>; steps: Step[] }>;
  };
  return Object.entries(jobs).map(([name, { environment, env, steps }]) => ({
    ...{ name, environment, env },
    commands: steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
  }));
}

interface DevOpsJob {
  job?: string;
  deployment?: string;
  steps?: Step[];
  strategy?: { runOnce: { deploy: { steps: Step[] } } };
}

/** The pipeline for Azure DevOps with its templates put in, as the service does before it runs anything. */
export function expandedPipeline(): { stages: { stage: string; jobs: DevOpsJob[] }[] } {
  return expanded(parse(textOf('azure-pipelines.yml'))) as ReturnType<typeof expandedPipeline>;
}

function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((one) => templateSteps(one as Step) ?? [expanded(one)]);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expanded(one)]));
}

/** The steps of a template with its parameters; undefined if it is none. */
function templateSteps({ template, parameters = {} }: Step): Step[] | undefined {
  if (template === undefined) return undefined;
  const text = textOf(template).replaceAll(
    /\$\{\{ parameters\.(\w+) \}\}/g,
    (_, name: string) => parameters[name] ?? '',
  );
  return (parse(text) as { steps: Step[] }).steps;
}

/** The jobs of the pipeline for Azure DevOps. */
export function devOpsJobs(): PipelineJob[] {
  return expandedPipeline()
    .stages.flatMap(({ jobs }) => jobs)
    .map((job) => {
      const steps = job.steps ?? job.strategy?.runOnce.deploy.steps ?? [];
      const tasks = steps.filter(({ task }) => task === 'AzureCLI@2');
      const env = tasks[0]?.env ?? {};
      return {
        ...{ name: job.job ?? job.deployment ?? '', env, environment: env.AKS_WI_ENVIRONMENT ?? '' },
        commands: tasks.map(({ inputs }) => inputs?.inlineScript ?? ''),
      };
    });
}
