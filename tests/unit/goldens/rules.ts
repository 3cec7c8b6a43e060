import { isRecord } from '../../../components/resource/fields';
import type { Recording, Registration } from '../components/support/recorder';
import { isSecretMark } from './references';

// What holds in every deployment, whatever its golden shows. Each rule gives what breaks it.

const keyOf = ({ type, name }: Registration) => `${type}::${name}`;

/** The name of the cluster that something is of; undefined of what is of the environment. */
function clusterOf(key: string | undefined, all: ReadonlyMap<string, Registration>): string | undefined {
  if (key === undefined) return undefined;
  const [type, name] = key.split('::');
  return type === 'aks-workload-identity:stacks:Cluster' ? name : clusterOf(all.get(key)?.parent, all);
}

/** Azure's types that have no tags. */
const untagged =
  /:(RoleAssignment|IdentityBinding|FederatedIdentityCredential|AccessPolicy|DiagnosticSetting|ManagementLockByScope|RoleDefinition|PrivateDnsZoneGroup)$/;

/** Every text of a value that is not marked as secret. */
function plainTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || isSecretMark(value)) return [];
  return Object.values(value).flatMap(plainTexts);
}

/** Outputs of components. */
const components = (state: Recording<unknown>['state']) =>
  state.filter(({ type }) => type.startsWith('aks-workload-identity:')).map(({ outputs }) => outputs);

type Rule = (recording: Recording<unknown>, all: ReadonlyMap<string, Registration>) => string[];

const rules: Readonly<Record<string, Rule>> = {
  'what is in a cluster is put there by its own provider': ({ registrations }, all) =>
    registrations
      .filter((registration) => registration.type.startsWith('kubernetes:'))
      .filter(
        (registration) =>
          registration.provider !==
          `pulumi:providers:kubernetes::${clusterOf(keyOf(registration), all) ?? ''}-provider`,
      )
      .map(keyOf),
  'a cluster waits for another with dependencies, access windows and identity bindings alone': (
    { registrations },
    all,
  ) =>
    registrations
      .filter(
        ({ type, parent = '' }) =>
          !/:(AzureDependency|AccessWindows|IdentityBinding)(::|$)/m.test(`${type}\n${parent}`),
      )
      .flatMap((registration) => {
        const own = clusterOf(keyOf(registration), all);
        const others = registration.dependencies.filter(
          (key) => ![undefined, own].includes(clusterOf(key, all)),
        );
        return own === undefined ? [] : others.map((other) => `${keyOf(registration)} waits for ${other}`);
      }),
  'what can have tags has that of the stack': ({ registrations }) =>
    registrations
      .filter(({ type }) => type.startsWith('azure-native:') && !untagged.test(type))
      .filter(({ inputs }) => !isRecord(inputs.tags) || inputs.tags['pulumi-stack'] === undefined)
      .map(keyOf),
  'objects that the stack makes take their fields back, and none that it patches does': ({ registrations }) =>
    registrations
      .filter(({ type }) => /^kubernetes:(?!helm)/.test(type))
      .filter(({ type, inputs: { metadata } }) => {
        const { annotations } = metadata as { annotations?: Record<string, string> };
        return (annotations?.['pulumi.com/patchForce'] === 'true') === type.endsWith('Patch');
      })
      .map(keyOf),
  // The mocks and record.ts make all values that are secret begin so.
  'values that are secret are marked so': ({ registrations, state }) =>
    [...registrations.map(({ inputs }) => inputs), ...components(state)]
      .flatMap(plainTexts)
      .filter((text) =>
        /^(value|kubeconfig|password|key|certificate) of |^(admin|user) kubeconfig/.test(text),
      ),
};

/** Resources that break a rule, by the rule. */
export function brokenRules(recording: Recording<unknown>): Record<string, string[]> {
  const all = new Map(recording.registrations.map((registration) => [keyOf(registration), registration]));
  return Object.fromEntries(
    Object.entries(rules)
      .map(([name, rule]) => [name, rule(recording, all)] as const)
      .filter(([, broken]) => broken.length > 0),
  );
}
