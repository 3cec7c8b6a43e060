import type { Lifecycle } from '../resources/lifecycle';
import { textAt } from '../resources/propertyPath';
import { withTimeout } from '../resources/timeout';
import { isNotFound } from './arm/armError';
import type { Resource } from './catalogue';
import { armLifecycle } from './lifecycle';
import { parseResourceId } from './resourceId';
import type { Session } from './session';

const dataPlaneVersion = '7.6';

/**
 * Returns the operations on a vault's secret, which is written and read through the resource manager. The resource manager
 * cannot delete secrets, so a deletion uses the vault's data plane, and needs permission there.
 */
export function vaultSecretLifecycle(resource: Resource, session: Session): Lifecycle {
  return {
    ...armLifecycle(resource, session),
    async delete(id, _state, options, context) {
      const names = parseResourceId(resource.path, id);
      const vault = textAt(names, 'vaultName');
      const secret = textAt(names, 'secretName');
      const url = `https://${vault}.${session.settings.cloud.vaultSuffix}/secrets/${encodeURIComponent(secret)}?api-version=${dataPlaneVersion}`;
      await withTimeout(`deleting ${id}`, options, context, async (signal) => {
        try {
          await session.vaults.send('DELETE', url, undefined, signal, `DELETE ${id}`);
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      });
    },
  };
}
