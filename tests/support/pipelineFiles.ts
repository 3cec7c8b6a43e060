import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from './command';

export const textOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** A job of either system, with its commands in order. */
export interface PipelineJob {
  readonly name: string;
  /** Name of the environment whose settings the job gets. */
  readonly environment: string;
  /** The project's commands that it runs, including the system's expressions. */
  readonly commands: readonly string[];
  /** Variables that the job itself sets, including the system's expressions. */
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

interface GitHubJob {
  environment: string;
  env: Record<string, string>;
  strategy?: { matrix: { stack: string[] } };
  steps: Step[];
}

/** Returns the jobs of a GitHub Actions workflow; those of a matrix are named `name_stack`. */
export function gitHubJobs(file = '.github/workflows/deploy.yml'): PipelineJob[] {
  const { jobs } = parse(textOf(file)) as { jobs: Record<string, GitHubJob> };
  return Object.entries(jobs).flatMap(([name, job]) => {
    const stacks = job.strategy?.matrix.stack;
    if (stacks === undefined) return [gitHubJob(name, job)];
    return stacks.map((stack) => {
      const text = JSON.stringify(job).replaceAll('${{ matrix.stack }}', stack);
      return gitHubJob(`${name}_${stack}`, JSON.parse(text) as GitHubJob);
    });
  });
}

function gitHubJob(name: string, { environment, env, steps }: GitHubJob): PipelineJob {
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  return { name, environment, env, commands };
}

interface DevOpsJob {
  job?: string;
  deployment?: string;
  steps?: Step[];
  strategy?: { runOnce: { deploy: { steps: Step[] } } };
}

/** Returns a pipeline for Azure DevOps with its templates expanded, as the service does before it runs anything. */
export function expandedPipeline(file = 'azure-pipelines.yml'): {
  stages: { stage: string; jobs: DevOpsJob[] }[];
} {
  return expandedText(textOf(file)) as ReturnType<typeof expandedPipeline>;
}

/** Returns the text of a pipeline for Azure DevOps with its templates expanded. */
export function expandedText(text: string): unknown {
  return expanded(parse(text));
}

function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((item) => templateSteps(item as Step) ?? [expanded(item)]);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, expanded(field)]));
}

/** Returns the steps of a template with its parameters; undefined if the step is not a template. */
function templateSteps({ template, parameters = {} }: Step): Step[] | undefined {
  if (template === undefined) return undefined;
  const text = textOf(template);
  const { parameters: declared = [] } = parse(text) as { parameters?: { name: string; default?: string }[] };
  const filled = text.replaceAll(
    /\$\{\{ parameters\.(\w+) \}\}/g,
    (_, name: string) =>
      parameters[name] ?? declared.find((parameter) => parameter.name === name)?.default ?? '',
  );
  return (parse(filled) as { steps: Step[] }).steps;
}

export function devOpsJobs(file?: string): PipelineJob[] {
  return expandedPipeline(file)
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
