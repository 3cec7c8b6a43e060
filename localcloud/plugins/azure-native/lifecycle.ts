import { PartialFailure, type Properties } from '../protocol';
import { markMembers } from '../resources/drift';
import type { Lifecycle } from '../resources/lifecycle';
import { previewOutputs } from '../resources/preview';
import { textAt, valueAt, withValueAt } from '../resources/propertyPath';
import { withTimeout } from '../resources/timeout';
import { isNotFound, OperationFailed } from './arm/armError';
import type { Resource } from './catalogue';
import { importedInputs, refreshedInputs } from './drift';
import { outputsOf } from './outputs';
import { bodyPath, requestBody } from './requestBody';
import { resourceId } from './resourceId';
import type { Session } from './session';

/** Outputs that no update changes (provider.go of pulumi/pulumi-azure-native), so that previews can show them. */
const stableOutputs = ['name', 'location'];

/** Returns the outputs that a preview of an update can show. */
export function previewUpdate(resource: Resource, oldState: Properties, news: Properties): Properties {
  const outputs = previewOutputs(resource.outputs, news);
  for (const name of stableOutputs) {
    const value = oldState[name];
    if (value !== undefined && name in resource.outputs) outputs[name] = value;
  }
  return outputs;
}

/** Returns the resource manager's operations on a resource: PUT, GET and DELETE of its id. */
export function armLifecycle(resource: Resource, session: Session): Lifecycle {
  const { arm, settings } = session;
  const { apiVersion } = resource;

  const stateOf = (response: Properties, inputs: Properties): Properties =>
    markMembers(outputsOf(resource, response), inputs);

  /**
   * Writes the resource and reads it again, because a refresh would show the differences between the answers to PUT and
   * to GET as drift.
   */
  async function write(
    id: string,
    body: Properties,
    inputs: Properties,
    signal: AbortSignal,
  ): Promise<Written> {
    try {
      await arm.put(id, apiVersion, body, signal);
      // Read even after a cancellation, because the write must be recorded.
      const response = await arm.get(id, apiVersion, AbortSignal.timeout(30_000));
      // The id is recorded in the service's spelling: a resource group's name keeps the case of its creation.
      return { id: textAt(response, 'id') || id, state: stateOf(response, inputs) };
    } catch (error) {
      if (!(error instanceof OperationFailed)) throw error;
      // The operation was accepted, so the resource may exist. If it were not recorded, the next update would
      // try to create it again.
      const current = await existing(id, AbortSignal.timeout(30_000));
      if (current === undefined) throw error;
      throw new PartialFailure(id, stateOf(current, inputs), [error.message]);
    }
  }

  async function existing(id: string, signal: AbortSignal): Promise<Properties | undefined> {
    try {
      return await arm.get(id, apiVersion, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return {
    async create(inputs, options, context) {
      if (options.preview) return { id: '', state: previewOutputs(resource.outputs, inputs) };
      const id = resourceId(resource.path, inputs, settings.subscriptionId);
      return withTimeout(`creating ${id}`, options, context, async (signal) => {
        if (await existing(id, signal))
          throw new Error(
            `cannot create already existing resource '${id}': import it, or choose another name`,
          );
        const body = unset(resource, inputs).reduce(
          (built, path) => withValueAt(built, bodyPath(resource, path), []),
          requestBody(resource, inputs),
        );
        return write(id, body, inputs, signal);
      });
    },

    async read(id, state, inputs, context) {
      const response = await existing(id, context.signal);
      if (response === undefined) return undefined;
      const outputs = outputsOf(resource, response);
      const imported = Object.keys(inputs).length === 0;
      const refreshed = imported
        ? importedInputs(resource, id, outputs)
        : refreshedInputs(resource, inputs, state, outputs);
      return { id, state: markMembers(outputs, refreshed), inputs: refreshed };
    },

    async update(id, oldState, news, options, context) {
      if (options.preview) return { state: previewUpdate(resource, oldState, news) };
      return withTimeout(`updating ${id}`, options, context, async (signal) => {
        const maintained = unset(resource, news).map((path) => bodyPath(resource, path));
        let body = requestBody(resource, news);
        if (maintained.length > 0) {
          const current = await arm.get(id, apiVersion, signal);
          for (const path of maintained) body = withValueAt(body, path, valueAt(current, path) ?? []);
        }
        return write(id, body, news, signal);
      });
    },

    async delete(id, _state, options, context) {
      await withTimeout(`deleting ${id}`, options, context, (signal) => arm.delete(id, apiVersion, signal));
    },
  };
}

interface Written {
  id: string;
  state: Properties;
}

/** Returns the lists that other resources may maintain and that these inputs do not set. */
function unset(resource: Resource, inputs: Properties): string[] {
  return (resource.maintained ?? []).filter((path) => valueAt(inputs, path) === undefined);
}
