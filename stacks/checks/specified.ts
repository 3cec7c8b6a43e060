import type { Specification } from '../../components/dependency/specification';
import { specify } from '../../components/dependency/specify';
import type { DependencyPlan } from '../plan';

/** Returns the custom resources of a service for checks of names. Values that only Azure knows are empty. */
export function specifiedFor({
  service,
  connection,
  connectionVault,
  objectName,
}: Pick<DependencyPlan, 'service' | 'connection' | 'connectionVault' | 'objectName'>): Specification {
  return specify(service, {
    objectName,
    groupId: '',
    location: '',
    tags: {},
    connection,
    connectionVault,
    identity: { identityName: '', principalId: '', tenantId: '' },
    cluster: '',
    issuer: '',
    accounts: [],
  });
}
