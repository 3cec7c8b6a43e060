import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { parse, stringify } from 'yaml';
import { deployPipelineIdentities } from '../../../bootstrap/program';
import { declared } from '../../../policy/declared';
import { rules, stackRules } from '../../../policy/rules';
import { isAbout } from '../../../policy/rules/rule';
import { bootstrapProject, readStack } from '../../../policy/stack';
import { validate } from '../../../stacks/configuration';
import { formatProblem, project } from '../../../stacks/settings/problem';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { editedBootstrapExample } from '../../support/bootstrapExample';
import { projectRoot } from '../../support/command';
import type { Recording } from '../components/support/recorder';
import { record } from '../components/support/recorder';
import { accessIn } from '../policy/found';
import { deployed } from '../stacks/deployed';

export type Settings = Readonly<Record<string, unknown>>;

/** An environment of a stack file as the program deploys it. */
export interface Example {
  readonly recording: Recording<{ readonly [key: string]: pulumi.Output<unknown> }>;
  readonly warnings: readonly string[];
  readonly findings: readonly string[];
}

/** Differences from the stack file and its surroundings. */
export interface Change {
  readonly settings?: (settings: Settings) => Settings;
  /** Files of the project by their paths, beside those that there are. */
  readonly files?: Readonly<Record<string, string>>;
  /** When it is deployed. */
  readonly now?: string;
  /** Pulumi's configuration of other namespaces. */
  readonly config?: Readonly<Record<string, string>>;
}

/** Those that keep going. */
const timers = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/** The settings of a stack file, with the values that each machine sets itself. */
function settingsOf(file: string): Settings {
  const { config } = parse(readFileSync(path.join(projectRoot, file), 'utf8')) as { config: Settings };
  const settings = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace(`${project}:`, ''), value]),
  );
  const { secretValues = {}, clusters } = settings as {
    secretValues?: object;
    clusters: { name: string; mode?: string }[];
  };
  const external = clusters.filter(({ mode }) => mode === 'external').map(({ name }) => name);
  const created = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  return { ...settings, secretValues: created(Object.keys(secretValues)), kubeconfigs: created(external) };
}

// What the mocks do not know of examples/configurations/reuse: its vault has access policies.
const answers = {
  'azure-native:keyvault:getVault': ({ vaultName: name }: Settings) => ({
    properties: {
      vaultUri: `https://${String(name)}.vault.azure.net/`,
      enableRbacAuthorization: name !== 'kv-wi-legacy',
    },
  }),
};

/** The settings as a stack file, with its values encrypted. */
function textOf(settings: Settings): string {
  const encrypted = (values: unknown) =>
    Object.fromEntries(Object.keys(values as object).map((name) => [name, { secure: `of ${name}` }]));
  const { secretValues, kubeconfigs } = settings;
  const all = { ...settings, secretValues: encrypted(secretValues), kubeconfigs: encrypted(kubeconfigs) };
  return stringify({
    config: Object.fromEntries(Object.entries(all).map(([key, value]) => [`${project}:${key}`, value])),
  });
}

/** Runs what depends on the time at that time, and without what only jest does. */
async function at<T>(now: string, run: () => Promise<T>): Promise<T> {
  // jest's own gives lists that the SDK does not take for lists.
  const clone = jest
    .spyOn(globalThis, 'structuredClone')
    .mockImplementation((value: unknown) => JSON.parse(JSON.stringify(value)));
  jest.useFakeTimers({ now: new Date(now), doNotFake: timers });
  try {
    return await run();
  } finally {
    jest.useRealTimers();
    clone.mockRestore();
  }
}

/** Deploys the environment of a stack file against mocks. */
export function recordExample(file: string, change: Change = {}): Promise<Example> {
  return at(change.now ?? '2026-12-15T00:00:00Z', async () => {
    const environment = file.split('.').at(-2) ?? '';
    const settings = (change.settings ?? ((same) => same))(settingsOf(file));
    const readFile = (name: string) => change.files?.[name] ?? projectFiles(projectRoot)(name);
    const validation = validate(environment, settings, readFile);
    if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
    const warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue();
    try {
      pulumi.runtime.setAllConfig({ ...change.config });
      const recording = await record(() => deployed(validation.configuration), { answers });
      const stack = readStack({ environment, text: textOf(settings) }, readFile);
      const warnings = warn.mock.calls.map(([text]) => text);
      return { recording, warnings, findings: findingsOf(recording, stack) };
    } finally {
      pulumi.runtime.setAllConfig({});
      warn.mockRestore();
    }
  });
}

/** Runs the program of `bootstrap/` with its stack file, edited. */
export async function recordBootstrap(): Promise<Example> {
  const text = editedBootstrapExample();
  const { config } = parse(text) as { config: Settings };
  pulumi.runtime.setAllConfig(
    Object.fromEntries(
      Object.entries(config).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  );
  try {
    const recording = await record(() => {
      const { clients, resourceGroups } = deployPipelineIdentities();
      return { clients: pulumi.output(clients), resourceGroups: pulumi.output(resourceGroups) };
    });
    const stack = readStack({ environment: 'pipelines', project: bootstrapProject, text }, () => undefined);
    return { recording, warnings: [], findings: findingsOf(recording, stack) };
  } finally {
    pulumi.runtime.setAllConfig({});
  }
}

/** Findings of the policies, of single resources and of all together. */
function findingsOf(
  recording: Recording<unknown>,
  { environment, workloads }: ReturnType<typeof readStack>,
): string[] {
  const { registrations, state } = recording;
  const single = registrations.flatMap(({ type, name, inputs: props }) => {
    const urn =
      state.find((registration) => registration.type === type && registration.name === name)?.urn ?? '';
    const resource = declared({ urn, name, props, provider: type });
    return rules
      .filter((rule) => isAbout(rule, resource))
      .flatMap((rule) => rule.check(resource, environment).map((what) => `${rule.name} ${name}: ${what}`));
  });
  const all = state.map(({ urn, name, outputs }) => declared({ urn, name, props: outputs }));
  const access = () => accessIn(recording, workloads);
  const together = stackRules.flatMap(({ name, checkAll }) =>
    checkAll(all, environment, access).map(({ resource, problem }) => `${name} ${resource.name}: ${problem}`),
  );
  return [...single, ...together].sort();
}
