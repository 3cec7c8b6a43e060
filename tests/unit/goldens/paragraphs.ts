import { roleAssignmentName } from '../../../components/azure/roles';
import { isRecord } from '../../../components/resource/fields';
import type { Recording, Registration } from '../components/support/recorder';
import type { References } from './references';
import { shortName } from './references';
import { Waits } from './waits';

/** A resource as a golden shows it. */
export interface Paragraph {
  readonly type: string;
  /** Type, name, all parents and an explicit provider. */
  readonly heading: string;
  readonly options: readonly string[];
  /**
   * What it waits for, without what its inputs name and what follows from another of these. `NOT x`: an input names x, and it
   * does not wait for x.
   */
  readonly after: readonly string[];
  readonly inputs: object;
  /** It is a component that others are in: their headings name it. */
  readonly isHolder: boolean;
}

/** Inputs that the SDKs add by themselves, by type: they say nothing of the program. */
const additions: Readonly<Record<string, object>> = {
  'azure-native:containerservice:ManagedCluster': {
    networkProfile: {
      dnsServiceIP: '10.0.0.10',
      outboundType: 'loadBalancer',
      podCidr: '10.244.0.0/16',
      serviceCidr: '10.0.0.0/16',
    },
  },
  'azure-native:keyvault:Vault': {
    properties: {
      enabledForDeployment: false,
      enabledForDiskEncryption: false,
      enabledForTemplateDeployment: false,
    },
  },
  'azure-native:network:PrivateEndpoint': {
    subnet: { privateEndpointNetworkPolicies: 'Disabled', privateLinkServiceNetworkPolicies: 'Enabled' },
  },
  'kubernetes:helm.sh/v3:Release': { compat: 'true' },
};

function without(value: unknown, added: unknown): unknown {
  if (!isRecord(value) || !isRecord(added)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, field]) => isRecord(added[key]) || added[key] !== field)
      .map(([key, field]) => [key, without(field, added[key])]),
  );
}

/** The inputs without what follows from the type or from other inputs, such as a name that is derived. */
function ownInputs({ type, inputs }: Registration): unknown {
  if (type === 'azure-native:authorization:RoleAssignment') {
    const { roleAssignmentName: name, ...others } = inputs;
    const [scope, principalId, role] = [inputs.scope, inputs.principalId, inputs.roleDefinitionId].map(
      String,
    );
    const guid = role?.split('/').at(-1) ?? '';
    return name === roleAssignmentName(scope ?? '', principalId ?? '', { guid }) ? others : inputs;
  }
  const [, group = '', kind = ''] = type.split(':');
  const named = type.startsWith('kubernetes:') ? { apiVersion: group.replace(/^core\//, ''), kind } : {};
  return without(inputs, { ...named, ...additions[type] });
}

/** Type of the resource that an input names, by the input's key. */
const sources: Readonly<Record<string, RegExp>> = {
  resourceGroupName: /:ResourceGroup$/,
  resourceName: /:UserAssignedIdentity$/,
  vaultName: /:keyvault:Vault$/,
  namespace: /:Namespace$/,
  issuer: /:ManagedCluster$/,
  clusterIdentifier: /:ManagedCluster$/,
};

/** The inputs, with `<resource>` for each name or address of a resource that they wait for. */
function named(
  inputs: unknown,
  { dependencies }: Registration,
  { state }: Recording<unknown>,
  of: Set<string>,
): unknown {
  const inAny = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => inAny(item, ''));
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([inner, field]) => [inner, inAny(field, inner)]));
    const source = sources[key];
    if (source === undefined || typeof value !== 'string') return value;
    const found = state.find(
      ({ type, name, outputs }) =>
        source.test(type) &&
        dependencies.includes(`${type}::${name}`) &&
        JSON.stringify(outputs).includes(JSON.stringify(value)),
    );
    if (found === undefined) return value;
    of.add(`${found.type}::${found.name}`);
    return `<${shortName(`${found.type}::${found.name}`)}>`;
  };
  return inAny(inputs, '');
}

/** The resources as the program registers them, children after their parent. */
export function paragraphsOf(recording: Recording<unknown>, references: References): Paragraph[] {
  const { registrations } = recording;
  const waits = new Waits(registrations);
  const beneath = (parent: string | undefined, parents: readonly string[]): Paragraph[] =>
    registrations
      .filter((registration) => registration.parent === parent)
      .sort((one, other) => (`${one.name} ${one.type}` < `${other.name} ${other.type}` ? -1 : 1))
      .flatMap((registration) => {
        const key = `${registration.type}::${registration.name}`;
        return [
          paragraph(registration, parents, recording, references, waits),
          ...beneath(key, [shortName(key), ...parents]),
        ];
      });
  return beneath(undefined, []);
}

function paragraph(
  registration: Registration,
  parents: readonly string[],
  recording: Recording<unknown>,
  references: References,
  waits: Waits,
): Paragraph {
  const { type, name, provider, dependencies } = registration;
  const of = new Set<string>();
  const { value, of: ids } = references.show(named(ownInputs(registration), registration, recording, of));
  for (const id of ids) of.add(id);
  const key = `${type}::${name}`;
  const all = waits.of(key);
  return {
    type,
    heading: [
      `${type} ${name}`,
      ...parents.map((parent) => `in ${parent}`),
      ...(provider === undefined ? [] : [`by ${provider.split('::')[1] ?? ''}`]),
    ].join(' '),
    options: optionsOf(registration),
    after: [
      ...dependencies
        .filter((dependency) => !of.has(dependency) && !waits.isImplied(key, dependency))
        .map(shortName),
      ...[...of].filter((id) => !all.has(id)).map((id) => `NOT ${shortName(id)}`),
    ],
    inputs: value as object,
    isHolder: waits.hasChildren(key),
  };
}

function optionsOf(registration: Registration): string[] {
  const { retainOnDelete, protect, deletedWith, ignoreChanges, typesBefore = [], options } = registration;
  const versions = typesBefore.map((type) => type.replace(/^.*\/(.*):.*$/, '$1'));
  const lists = { ignoreChanges, version: versions, ...options };
  return [
    ...(retainOnDelete ? ['retainOnDelete'] : []),
    ...(protect ? ['protect'] : []),
    ...(deletedWith === undefined ? [] : [`deletedWith ${shortName(deletedWith)}`]),
    ...Object.entries(lists).flatMap(([what, all]) => {
      const values = [...new Set((all ?? []) as string[])];
      return values.length === 0 ? [] : [`${what} ${values.join(' ')}`];
    }),
  ];
}
