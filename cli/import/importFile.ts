import { secretValue, type Inputs, type PlannedCreate, type Preview } from './preview';

/** A resource to take in. */
export interface ImportedResource {
  create: PlannedCreate;
  /** Resource id. */
  id: string;
}

interface ImportSpec {
  /** Unique in the file; `parent` and `provider` name others by it. */
  name: string;
  /** Name in the stack. */
  logicalName: string;
  type: string;
  id?: string;
  component?: boolean;
  parent?: string;
  provider?: string;
  version?: string;
  inputs?: Inputs;
}

/** What `pulumi import --file` reads. */
export interface ImportFile {
  nameTable: Record<string, string>;
  resources: ImportSpec[];
}

/**
 * The file that imports resources under exactly the URNs that the program has them under: with the components around
 * them, where the stack has none of these yet, and with their own providers.
 */
export function importFile(
  imports: readonly ImportedResource[],
  { creates }: Pick<Preview, 'creates'>,
): ImportFile {
  const byUrn = new Map(creates.map((create) => [create.urn, create]));
  const names = new Map<string, string>();
  const nameTable: Record<string, string> = {};
  const resources: ImportSpec[] = [];

  /** The name in the file of something that the stack has, or that is imported with the rest. */
  const nameFor = (urn: string): string => {
    const known = names.get(urn);
    if (known !== undefined) return known;
    const create = byUrn.get(urn);
    const component = create?.type.startsWith('pulumi:providers:') === false;
    const parent = create !== undefined && component ? around(create) : {};
    const name = `r${names.size}`;
    names.set(urn, name);
    if (create === undefined) nameTable[name] = urn;
    else if (component)
      resources.push({ name, logicalName: create.name, type: create.type, component, ...parent });
    else resources.push(provider(name, create));
    return name;
  };

  const around = ({ parent }: PlannedCreate): Pick<ImportSpec, 'parent'> =>
    parent === undefined ? {} : { parent: nameFor(parent) };

  for (const { create, id } of imports) {
    const parent = around(create);
    const name = `r${names.size}`;
    names.set(create.urn, name);
    resources.push({
      name,
      logicalName: create.name,
      type: create.type,
      id,
      ...parent,
      ...providerOf(create, nameFor),
    });
  }
  return { nameTable, resources };
}

/** The engine makes default providers by itself, one for each version: `default_3_28_0`. */
function providerOf(
  { provider: urn }: PlannedCreate,
  nameFor: (urn: string) => string,
): Pick<ImportSpec, 'provider' | 'version'> {
  if (urn === undefined) return {};
  const [, version] = /::default(?:_(\d+_\d+_\d+))?$/.exec(urn) ?? [undefined, undefined];
  if (version !== undefined) return { version: version.replaceAll('_', '.') };
  return urn.endsWith('::default') ? {} : { provider: nameFor(urn) };
}

function provider(name: string, { name: logicalName, type, inputs }: PlannedCreate): ImportSpec {
  const { version, ...rest } = inputs;
  return {
    name,
    logicalName,
    type,
    ...(typeof version === 'string' && { version }),
    inputs: { ...rest, ...(typeof version === 'string' && { version }) },
  };
}

/** Whether the provider that a resource would be made with has to be made first: its sign-in is not told here. */
export function needsSecretProvider(
  { provider: urn }: PlannedCreate,
  { creates }: Pick<Preview, 'creates'>,
): boolean {
  const create = creates.find((one) => one.urn === urn);
  return create !== undefined && Object.values(create.inputs).includes(secretValue);
}
