import { isObject, reveal, revealAll, type Properties, type Value } from '../protocol';
import { markMembers } from '../resources/drift';
import type { Lifecycle } from '../resources/lifecycle';
import { oneAtATime } from '../resources/oneAtATime';
import { previewOutputs } from '../resources/preview';
import { textAt, valueAt } from '../resources/propertyPath';
import { withTimeout } from '../resources/timeout';
import { isNotFound } from './arm/armError';
import type { Resource } from './catalogue';
import { refreshedInputs } from './drift';
import { previewUpdate } from './lifecycle';
import { declaredMembers } from './outputs';
import { parseResourceId, resourceId } from './resourceId';
import type { Session } from './session';

/**
 * Returns the operations on one entry of a vault's access policies. Azure has no resource type for it: an operation on
 * the vault replaces or removes single entries, and leaves those of other principals unchanged.
 */
export function accessPolicyLifecycle(resource: Resource, session: Session): Lifecycle {
  const { arm, settings } = session;
  const { apiVersion } = resource;

  const vaultOf = (id: string): string => id.replace(/\/accessPolicy(\/[^/]*)?$/i, '');

  async function find(id: string, objectId: string, signal: AbortSignal): Promise<Properties | undefined> {
    try {
      const vault = await arm.get(vaultOf(id), apiVersion, signal);
      const entries = valueAt(vault, 'properties.accessPolicies');
      const policy = (Array.isArray(entries) ? entries : []).find(
        (entry) => isObject(entry) && textAt(entry, 'objectId').toLowerCase() === objectId.toLowerCase(),
      );
      return isObject(policy) ? withoutEmptyLists(policy) : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async function modify(
    kind: 'replace' | 'remove',
    id: string,
    entry: Value | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const vault = vaultOf(id);
    const policy = entry === undefined ? {} : reveal(entry);
    const body = {
      properties: { accessPolicies: [{ permissions: {}, ...(isObject(policy) ? policy : {}) }] },
    };
    // The service writes the whole vault, so one of two concurrent writes would be lost or refused.
    await oneAtATime(vault.toLowerCase(), () =>
      arm.put(`${vault}/accessPolicies/${kind}`, apiVersion, body, signal),
    );
  }

  function stateOf(id: string, entry: Properties, inputs: Properties): Properties {
    const { resourceGroupName = '', vaultName = '' } = parseVault(id);
    return markMembers(
      declaredMembers(resource.outputs, { resourceGroupName, vaultName, policy: entry }),
      inputs,
    );
  }

  async function write(
    id: string,
    inputs: Properties,
    expected: 'present' | 'absent',
    signal: AbortSignal,
  ): Promise<{ id: string; state: Properties }> {
    const objectId = textAt(inputs, 'policy.objectId');
    const policy = await find(id, objectId, signal);
    if (policy && expected === 'absent') {
      throw new Error(
        `the vault already has an access policy for ${objectId} (${id}): import it, or remove it from the vault`,
      );
    }
    if (!policy && expected === 'present')
      throw new Error(`the vault has no access policy for ${objectId} (${id}): refresh the stack`);
    await modify('replace', id, inputs['policy'], signal);
    // Read even after a cancellation, because the write must be recorded.
    const written = await find(id, objectId, AbortSignal.timeout(30_000));
    if (written === undefined)
      throw new Error(`the access policy for ${objectId} was written but does not exist (${id})`);
    return { id, state: stateOf(id, written, inputs) };
  }

  return {
    async create(inputs, options, context) {
      if (options.preview) return { id: '', state: previewOutputs(resource.outputs, inputs) };
      const id = resourceId(resource.path, inputs, settings.subscriptionId);
      return withTimeout(`creating ${id}`, options, context, (signal) => write(id, inputs, 'absent', signal));
    },
    async read(id, state, inputs, context) {
      const named = /\/accessPolicy\/([^/]+)$/i.exec(id)?.[1];
      const objectId = named ?? textAt(state, 'policy.objectId');
      const entry = await find(id, objectId, context.signal);
      if (entry === undefined) return undefined;
      const outputs = stateOf(id, entry, inputs);
      const refreshed =
        Object.keys(inputs).length === 0
          ? declaredMembers(resource.inputs, revealAll(outputs))
          : refreshedInputs(resource, inputs, state, revealAll(outputs));
      return { id, state: outputs, inputs: refreshed };
    },
    async update(id, oldState, news, options, context) {
      if (options.preview) return { state: previewUpdate(resource, oldState, news) };
      return withTimeout(`updating ${id}`, options, context, (signal) => write(id, news, 'present', signal));
    },
    async delete(id, state, options, context) {
      await withTimeout(`deleting ${id}`, options, context, async (signal) => {
        try {
          await modify('remove', id, state['policy'], signal);
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      });
    },
  };

  function parseVault(id: string): Properties {
    // Version 2 of the official plugin recorded ids that lack the principal.
    const complete = /\/accessPolicy$/i.test(id) ? `${id}/unknown` : id;
    return parseResourceId(resource.path, complete);
  }
}

/** Returns an entry without empty lists. The service returns a list for each kind of permission, requested or not. */
function withoutEmptyLists(entry: Properties): Properties {
  const permissions = entry['permissions'];
  if (!isObject(permissions)) return entry;
  const granted = Object.entries(permissions).filter(([, list]) => !Array.isArray(list) || list.length > 0);
  return { ...entry, permissions: Object.fromEntries(granted) };
}
