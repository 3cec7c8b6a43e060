import { requestsIn, type SecretRequests } from '../../../cli/audit/requests';

/** Object id of somebody who is not of the stack. */
export const stranger = '99999999-9999-4999-8999-999999999999';

/** What a row of theirs has. */
export const foreign = { ObjectId: stranger, ClientId: 'other' };

/** A row as the service answers it. */
const row = (change: Record<string, unknown> = {}) => ({
  OperationName: 'SecretGet',
  RequestUri: 'https://kv-central.vault.azure.net:8443/secrets/orders-db?api-version=7.6',
  HttpStatusCode: 200,
  AppliedAssignmentId: 'ABC',
  IsAccessPolicyMatch: null,
  ClientInfo: 'azsdk-js-keyvault-secrets/4.12.0',
  ObjectId: 'principal-id-aks-1',
  ClientId: 'client-id-aks-1',
  User: '',
  IdentityId: '',
  Times: 2,
  First: new Date('2027-01-01T00:00:00Z'),
  TimeGenerated: new Date('2027-01-02T00:00:00Z'),
  CallerIpAddress: '10.0.0.1',
  ...change,
});
/** The requests that rows with these changes tell of. */
export const requests = (...changes: Record<string, unknown>[]): SecretRequests[] =>
  requestsIn(changes.map(row), 'aks-wi-verify');
