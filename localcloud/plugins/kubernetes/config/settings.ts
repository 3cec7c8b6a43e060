import type { Properties, Value } from '../../protocol';
import { containsUnknown, isObject, reveal } from '../../protocol';

// Inputs by type. The types are needed because each input arrives as a string, with JSON for other types (provider.js of
// @pulumi/kubernetes).
const texts = [
  'cluster',
  'clusterIdentifier',
  'context',
  'kubeconfig',
  'namespace',
  'renderYamlToDirectory',
] as const;
const switches = [
  'alwaysRender',
  'deleteUnreachable',
  'enableConfigMapMutable',
  'enablePatchForce',
  'enableSecretMutable',
  'enableServerSideApply',
  'skipUpdateUnreachable',
  'suppressDeprecationWarnings',
  'suppressHelmHookWarnings',
  'upsertExistingObjects',
] as const;
const objects = ['helmReleaseSettings', 'kubeClientSettings'] as const;

/** Names of all inputs of the provider that this plugin reads. */
export const settingNames: readonly string[] = [...texts, ...switches, ...objects];

/** Helm's environment variable for each member of `helmReleaseSettings`. */
export const helmVariables: Record<string, string> = {
  driver: 'HELM_DRIVER',
  pluginsPath: 'HELM_PLUGINS',
  registryConfigPath: 'HELM_REGISTRY_CONFIG',
  repositoryCache: 'HELM_REPOSITORY_CACHE',
  repositoryConfigPath: 'HELM_REPOSITORY_CONFIG',
};

/** The provider's configuration. */
export type Settings = Partial<Record<(typeof texts)[number], string>> &
  Partial<Record<(typeof switches)[number], boolean>> & {
    /** Environment variables for helm. */
    helm: Record<string, string>;
    /** Timeout of a request to the API server, in seconds. @default 32 */
    requestSeconds: number;
    /** True if the cluster is not known yet, in a preview. */
    pending: boolean;
  };

const defaultRequestSeconds = 32;

export function readSettings(inputs: Properties): Settings {
  const pending = ['kubeconfig', 'context', 'cluster'].some((name) => containsUnknown(inputs[name]));
  const known = Object.fromEntries(
    Object.entries(inputs)
      .filter(([, value]) => !containsUnknown(value))
      .map(([name, value]) => [name, reveal(value)]),
  );
  const client = objectOf('kubeClientSettings', known['kubeClientSettings']);
  const helm = objectOf('helmReleaseSettings', known['helmReleaseSettings']);
  return {
    ...Object.fromEntries(texts.flatMap((name) => entry(name, textOf(known[name])))),
    ...Object.fromEntries(
      switches.flatMap((name) => entry(name, switchOf(name, known[name]) ?? switchInEnvironment(name))),
    ),
    helm: Object.fromEntries(
      Object.entries(helm).flatMap(([name, value]) => {
        const variable = helmVariables[name];
        return variable !== undefined && typeof value === 'string' ? [[variable, value]] : [];
      }),
    ),
    requestSeconds: Number(client['timeout'] ?? defaultRequestSeconds),
    pending,
  };
}

/** Variables that the official plugin reads if the provider does not have the input (`provider.go`, Configure). */
const variables: Partial<Record<(typeof switches)[number], string>> = {
  deleteUnreachable: 'PULUMI_K8S_DELETE_UNREACHABLE',
  skipUpdateUnreachable: 'PULUMI_K8S_SKIP_UPDATE_UNREACHABLE',
};

function switchInEnvironment(name: (typeof switches)[number]): boolean | undefined {
  const value = process.env[variables[name] ?? ''];
  return value === undefined ? undefined : value === 'true';
}

function entry<T>(name: string, value: T | undefined): [string, T][] {
  return value === undefined ? [] : [[name, value]];
}

function textOf(value: Value | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function switchOf(name: string, value: Value | undefined): boolean | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new Error(`provider input '${name}' is ${JSON.stringify(value)}; allowed are true and false`);
}

function objectOf(name: string, value: Value | undefined): Record<string, Value> {
  if (value === undefined || value === null || value === '') return {};
  const parsed = typeof value === 'string' ? (JSON.parse(value) as Value) : value;
  if (!isObject(parsed)) throw new Error(`provider input '${name}' must be an object`);
  return parsed;
}
