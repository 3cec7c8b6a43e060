import type { Specification } from '../../components/dependency/specification';
import { specify } from '../../components/dependency/specify';
import type { DependencyPlan } from '../plan';

/** What a service comes to, for checks of names: what depends on Azure is left empty. */
export function specifiedFor({
  service,
  connection,
  objectName,
}: Pick<DependencyPlan, 'service' | 'connection' | 'objectName'>): Specification {
  return specify(service, {
    objectName,
    groupId: '',
    location: '',
    tags: {},
    connection,
    identity: { identityName: '', principalId: '', tenantId: '' },
    cluster: '',
    issuer: '',
    accounts: [],
  });
}
