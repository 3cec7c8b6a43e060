import * as pulumi from '@pulumi/pulumi';
import { messageOf, VisibleError } from '../../components/resource/errors';
import { isRecord } from '../configuration/record';

/** A resource as the stack has it from the update before. */
export interface OwnResource {
  readonly urn: string;
  /** Type token of the resource itself, without its parents'. */
  readonly type: string;
  /** Its name in the stack. */
  readonly name: string;
  /** Its outputs, secrets in plain: never to be shown. A component's are what it registered. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** What the stack holds before this update. */
export class OwnState {
  private readonly byKey: ReadonlyMap<string, OwnResource>;

  constructor(readonly resources: readonly OwnResource[] = []) {
    this.byKey = new Map(resources.map((resource) => [`${resource.type}::${resource.name}`, resource]));
  }

  find(type: string, name: string): OwnResource | undefined {
    return this.byKey.get(`${type}::${name}`);
  }

  /** An output of a component or a resource, if it is there and a text. */
  text(type: string, name: string, output: string): string | undefined {
    const value = this.find(type, name)?.outputs[output];
    return typeof value === 'string' ? value : undefined;
  }

  /** What the stack exported. */
  get exported(): Readonly<Record<string, unknown>> {
    return this.resources.find(({ type }) => type === 'pulumi:pulumi:Stack')?.outputs ?? {};
  }
}

const token = 'pulumi:pulumi:readStackResourceOutputs';

/**
 * Reads the state of this very stack: a program that does not know what it made before could not keep what its
 * configuration no longer names. The function is the engine's own; in a preview and in an update alike it answers the
 * state that the update started from, and nothing for a stack without an update.
 */
export async function readOwnState(): Promise<OwnState> {
  const stackName = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  try {
    return parseOwnState(await pulumi.runtime.invoke(token, { stackName }));
  } catch (error) {
    throw new VisibleError(
      `The state of stack ${stackName} cannot be read, so it is not known what would have to be kept; nothing was changed. ${messageOf(error)}`,
    );
  }
}

/** What the function answered; what is not of the known shape is left out. */
export function parseOwnState(answer: unknown): OwnState {
  return new OwnState(
    Object.entries(objectIn(answer, 'outputs')).flatMap(([urn, entry]) => {
      // urn:pulumi:<stack>::<project>::<parents' types>$<type>::<name>
      const [, , types, ...name] = urn.split('::');
      const type = types?.split('$').at(-1);
      if (type === undefined || type === '' || name.length === 0) return [];
      return [{ urn, type, name: name.join('::'), outputs: objectIn(entry, 'outputs') }];
    }),
  );
}

function objectIn(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const found = isRecord(value) ? value[key] : undefined;
  return isRecord(found) ? found : {};
}
