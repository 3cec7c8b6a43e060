import {
  PartialFailure,
  revealAll,
  Secret,
  type CheckFailure,
  type OperationOptions,
  type Properties,
} from '../protocol';
import { withDefaults } from '../resources/defaults';
import { changedInputs, markMembers } from '../resources/drift';
import { previewOutputs } from '../resources/preview';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { project } from '../resources/project';
import { withTimeout } from '../resources/timeout';
import { completeOutputs } from './outputs';
import { differences, unsupportedInputs, type Rules } from './rules';
import { reason } from '../../logger';

/** A resource that was just created in Graph. */
export interface Created {
  id: string;
  /** Outputs that Graph returns only once, such as a password. */
  outputs?: Properties;
  /** Completes the creation. After an error in it, the next update repairs the resource. */
  settle?: () => Promise<void>;
}

/**
 * The operations of a resource type in Graph. Unless stated otherwise, inputs and states have no secret marks, and inputs
 * have defaults.
 */
export interface GraphResource {
  rules: Rules;
  /** Names of outputs that are secrets. */
  secrets: readonly string[];
  /** Returns failures beyond names and kinds of inputs. Here, inputs may have secret marks and unknown values. */
  check(inputs: Properties): CheckFailure[];
  /** Throws to refuse a creation. Also called in previews, where inputs may be unknown. */
  mayCreate?(inputs: Properties, signal: AbortSignal): Promise<void>;
  create(inputs: Properties, signal: AbortSignal): Promise<Created>;
  /** Returns the outputs that Graph has; undefined if there is no such resource. */
  read(id: string, state: Properties, signal: AbortSignal): Promise<Properties | undefined>;
  /** @default every change replaces the resource */
  update?(id: string, inputs: Properties, state: Properties, signal: AbortSignal): Promise<void>;
  delete(id: string, state: Properties, signal: AbortSignal): Promise<void>;
}

/** The official provider's timeout of most operations. */
const defaultSeconds = 10 * 60;

/**
 * Returns the engine's operations on a {@link GraphResource}.
 *
 * @param name name of the resource type in messages, such as `application`
 */
export function graphOperations(
  name: string,
  fields: DeclaredFields,
  resource: GraphResource,
): ResourceOperations {
  const { rules, secrets } = resource;

  const timed = (options: OperationOptions): OperationOptions => ({
    ...options,
    timeoutSeconds: options.timeoutSeconds || defaultSeconds,
  });
  const plainInputs = (inputs: Properties): Properties => withDefaults(rules.defaults, revealAll(inputs));

  /** Returns the declared outputs: Graph's, and from the previous state those that Graph never returns. */
  function stateOf(known: Properties, read: Properties, inputs: Properties): Properties {
    const outputs = markMembers(completeOutputs(fields.outputs, { ...known, ...read }), inputs);
    for (const secret of secrets) {
      const value = outputs[secret];
      if (value !== undefined && !(value instanceof Secret)) outputs[secret] = new Secret(value);
    }
    return outputs;
  }

  async function readState(
    id: string,
    known: Properties,
    inputs: Properties,
    signal: AbortSignal,
  ): Promise<Properties> {
    const read = await resource.read(id, known, signal);
    if (read === undefined) throw new Error(`the ${name} '${id}' was deleted in the meantime`);
    return stateOf(known, read, inputs);
  }

  return {
    check: (inputs) => [...unsupportedInputs(rules, inputs), ...resource.check(inputs)],

    diff: (oldState, _oldInputs, news) => differences(rules, oldState, news),

    async create(inputs, options, context) {
      const declared = plainInputs(inputs);
      return withTimeout(`creating the ${name}`, timed(options), context, async (signal) => {
        await resource.mayCreate?.(declared, signal);
        if (options.preview) {
          const expected = withDefaults(rules.defaults, inputs);
          return { id: '', state: previewOutputs(fields.outputs, expected) };
        }
        const { id, outputs: created = {}, settle } = await resource.create(declared, signal);
        const known = { ...declared, ...created };
        try {
          await settle?.();
          return { id, state: await readState(id, known, inputs, signal) };
        } catch (error) {
          throw new PartialFailure(id, stateOf(known, {}, inputs), [reason(error)]);
        }
      });
    },

    async read(id, state, inputs, context) {
      const known = revealAll(state);
      const read = await resource.read(id, known, context.signal);
      if (read === undefined) return undefined;
      const outputs = completeOutputs(fields.outputs, { ...known, ...read });
      const imported = Object.keys(inputs).length === 0 && Object.keys(state).length === 0;
      const refreshed = imported
        ? importedInputs(rules, outputs)
        : changedInputs(inputs, ownInputs(fields, known), ownInputs(fields, outputs));
      return { id, state: stateOf(known, read, refreshed), inputs: refreshed };
    },

    async update(id, oldState, news, options, context) {
      const declared = plainInputs(news);
      const kept = keptOutputs(rules, revealAll(oldState));
      if (options.preview) return { state: stateOf({ ...kept, ...declared }, {}, news) };
      return withTimeout(`updating the ${name} '${id}'`, timed(options), context, async (signal) => {
        await resource.update?.(id, declared, revealAll(oldState), signal);
        return { state: await readState(id, { ...kept, ...declared }, news, signal) };
      });
    },

    async delete(id, state, options, context) {
      await withTimeout(`deleting the ${name} '${id}'`, timed(options), context, (signal) =>
        resource.delete(id, revealAll(state), signal),
      );
    },
  };
}

function ownInputs(fields: DeclaredFields, outputs: Properties): Properties {
  return project(fields.inputs, outputs);
}

/** Returns the state without the inputs, except those that the service chooses. */
function keptOutputs(rules: Rules, state: Properties): Properties {
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => rules.chosen.includes(name) || !rules.supported.includes(name)),
  );
}

/** Returns the inputs of an imported resource: outputs that are not the service's choice, a default or empty. */
function importedInputs(rules: Rules, outputs: Properties): Properties {
  const names = differences(rules, {}, outputs).diffs.filter((name) => !rules.chosen.includes(name));
  const values = names.map((name) => [name, outputs[name]] as const);
  return Object.fromEntries(
    values.flatMap(([name, value]) =>
      value === undefined || value === rules.defaults[name] ? [] : [[name, value]],
    ),
  );
}
