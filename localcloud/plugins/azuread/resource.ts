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

/** A resource that Graph has now. */
export interface Created {
  id: string;
  /** Outputs that Graph tells only once. */
  told?: Properties;
  /** What is left to do. An error in it leaves a resource that the next update repairs. */
  settle?: () => Promise<void>;
}

/** What a resource type does in Graph. All inputs and states are without secret marks, inputs with defaults. */
export interface GraphResource {
  rules: Rules;
  /** Outputs that are secrets. */
  secrets: readonly string[];
  /** Failures beyond names and kinds of inputs, which may have secret marks and unknown values. */
  check(inputs: Properties): CheckFailure[];
  /** Refuses a creation; also in previews, where inputs may be unknown. */
  mayCreate?(inputs: Properties, signal: AbortSignal): Promise<void>;
  create(inputs: Properties, signal: AbortSignal): Promise<Created>;
  /** The outputs that Graph tells; undefined if there is no such resource. */
  read(id: string, state: Properties, signal: AbortSignal): Promise<Properties | undefined>;
  /** @default every change replaces the resource */
  update?(id: string, inputs: Properties, state: Properties, signal: AbortSignal): Promise<void>;
  delete(id: string, state: Properties, signal: AbortSignal): Promise<void>;
}

/** The official provider's timeout of most operations. */
const defaultSeconds = 10 * 60;

/**
 * The engine's operations on a {@link GraphResource}.
 *
 * @param name what messages call it, e.g. `application`
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

  /** The declared outputs: what Graph tells, and what it never returns, from the state before. */
  function stateOf(known: Properties, told: Properties, inputs: Properties): Properties {
    const outputs = markMembers(completeOutputs(fields.outputs, { ...known, ...told }), inputs);
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
    const told = await resource.read(id, known, signal);
    if (told === undefined) throw new Error(`the ${name} '${id}' was deleted at the same time`);
    return stateOf(known, told, inputs);
  }

  return {
    check: (inputs) => [...unsupportedInputs(rules, inputs), ...resource.check(inputs)],

    diff: (oldState, _oldInputs, news) => differences(rules, oldState, news),

    async create(inputs, options, context) {
      const wanted = plainInputs(inputs);
      return withTimeout(`creating the ${name}`, timed(options), context, async (signal) => {
        await resource.mayCreate?.(wanted, signal);
        if (options.preview) {
          const expected = withDefaults(rules.defaults, inputs);
          return { id: '', state: previewOutputs(fields.outputs, expected) };
        }
        const { id, told = {}, settle } = await resource.create(wanted, signal);
        const known = { ...wanted, ...told };
        try {
          await settle?.();
          return { id, state: await readState(id, known, inputs, signal) };
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          throw new PartialFailure(id, stateOf(known, {}, inputs), [reason]);
        }
      });
    },

    async read(id, state, inputs, context) {
      const known = revealAll(state);
      const told = await resource.read(id, known, context.signal);
      if (told === undefined) return undefined;
      const outputs = completeOutputs(fields.outputs, { ...known, ...told });
      const imported = Object.keys(inputs).length === 0 && Object.keys(state).length === 0;
      const refreshed = imported
        ? importedInputs(rules, outputs)
        : changedInputs(inputs, ownInputs(fields, known), ownInputs(fields, outputs));
      return { id, state: stateOf(known, told, refreshed), inputs: refreshed };
    },

    async update(id, oldState, news, options, context) {
      const wanted = plainInputs(news);
      const kept = keptOutputs(rules, revealAll(oldState));
      if (options.preview) return { state: stateOf({ ...kept, ...wanted }, {}, news) };
      return withTimeout(`updating the ${name} '${id}'`, timed(options), context, async (signal) => {
        await resource.update?.(id, wanted, revealAll(oldState), signal);
        return { state: await readState(id, { ...kept, ...wanted }, news, signal) };
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

/** The state without the inputs, except those that the service chooses. */
function keptOutputs(rules: Rules, state: Properties): Properties {
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => rules.chosen.includes(name) || !rules.supported.includes(name)),
  );
}

/** The inputs of an imported resource: what is not the service's choice, a default or empty. */
function importedInputs(rules: Rules, outputs: Properties): Properties {
  const names = differences(rules, {}, outputs).diffs.filter((name) => !rules.chosen.includes(name));
  const found = names.map((name) => [name, outputs[name]] as const);
  return Object.fromEntries(
    found.flatMap(([name, value]) =>
      value === undefined || value === rules.defaults[name] ? [] : [[name, value]],
    ),
  );
}
