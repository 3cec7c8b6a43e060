import { specialSecretSig, specialSigKey } from '@pulumi/pulumi/runtime/rpc';
import { isRecord } from '../../../components/resource/fields';
import { BUILT_IN_ROLES } from '../../../localcloud/azure/identity/roles';
import { ids } from '../components/support/azure';
import type { Recording } from '../components/support/recorder';

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** True if the engine keeps a value as a secret. */
export const isSecretMark = (value: object): boolean =>
  Reflect.get(value, specialSigKey) === specialSecretSig;

/** `Type name` of a `type::name`. */
export function shortName(key: string): string {
  const [type = '', name = ''] = key.split('::');
  return `${type.replace(/^.*[:/]/, '')} ${name}`;
}

/** The resource that an id stands for. */
interface Reference {
  readonly text: string;
  /** `type::name` of the resource that has it; undefined of what the program does not make. */
  readonly from?: string;
}

/** A value with references in place of ids, and what these are of, by `type::name`. */
export interface Shown {
  readonly value: unknown;
  readonly of: ReadonlySet<string>;
}

/** Ids that Azure made up, as `<what of whom>`; roles by their names in Azure; and secrets marked as such. */
export class References {
  private readonly byId = new Map<string, Reference>([
    [ids.tenant, { text: '<tenant>' }],
    [ids.subscription, { text: '<subscription>' }],
    ...BUILT_IN_ROLES.map(({ name, roleName }): [string, Reference] => [
      name,
      { text: `<role ${roleName}>` },
    ]),
  ]);
  /** Ids that may begin a longer id, the longest first, each with its pattern. */
  private readonly beginnings: readonly (readonly [string, RegExp])[];

  constructor({ calls, state, registrations }: Recording<unknown>) {
    for (const { token, inputs, answer } of calls) {
      // Tenant and subscription have names of their own.
      if (token === 'azure-native:authorization:getClientConfig') continue;
      const name = Object.values(inputs).at(-1);
      const whom = `${token.replace(/^.*:(get)?/, '')} ${typeof name === 'string' ? name : ''}`.trim();
      this.learn(answer, inputs, (what) => ({ text: `<${what} of existing ${whom}>` }));
    }
    for (const { type, name, id, outputs } of state) {
      if (type.startsWith('aks-workload-identity:')) continue;
      const from = `${type}::${name}`;
      const inputs =
        registrations.find((registration) => registration.type === type && registration.name === name)
          ?.inputs ?? {};
      this.learn({ id, ...outputs }, inputs, (what) => ({ text: `<${what} of ${shortName(from)}>`, from }));
    }
    this.beginnings = [...this.byId.keys()]
      .filter((id) => id.startsWith('/'))
      .sort((one, other) => other.length - one.length)
      .map((id) => [id, new RegExp(`${id.replaceAll('.', '\\.')}(?![\\w.-])`, 'g')]);
  }

  /** Takes up the ids in what Azure answered, which nobody gave it. */
  private learn(answer: object, inputs: object, reference: (what: string) => Reference): void {
    const reported = JSON.stringify(inputs);
    for (const [what, value] of Object.entries(answer)) {
      if (isRecord(value)) this.learn(value, inputs, reference);
      if (typeof value === 'string' && isId(value) && !reported.includes(value) && !this.byId.has(value))
        this.byId.set(value, reference(what));
    }
  }

  show(value: unknown): Shown {
    const of = new Set<string>();
    const named = (id: string) => {
      const { text, from } = this.byId.get(id) ?? { text: id };
      if (from !== undefined) of.add(from);
      return text;
    };
    const inText = (text: string) =>
      this.beginnings
        .filter(([id]) => text.includes(id))
        .reduce((so, [id, pattern]) => so.replaceAll(pattern, () => named(id)), text)
        .replaceAll(guid, named)
        .replaceAll('/subscriptions/<subscription>/providers/Microsoft.Authorization/roleDefinitions/', '')
        .replaceAll(/\/subscriptions\/<subscription>\/resourceGroups\/([\w-]+)(\/providers)?/g, '<group $1>');
    const inAny = (part: unknown): unknown => {
      if (typeof part === 'string') return inText(part);
      if (Array.isArray(part)) return part.map(inAny);
      if (!isRecord(part)) return part;
      if (isSecretMark(part)) return { SECRET: inAny(part.value) };
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [inText(key), inAny(inner)]));
    };
    return { value: inAny(value), of };
  }
}

const isId = (value: string) =>
  value.startsWith('/') || value.replace(guid, '') === '' || value.endsWith('-id');
