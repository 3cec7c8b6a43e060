import { TENANT_ID } from '../../identity';
import { BINDING_AUDIENCE, bindingFor, presentedFor } from '../arm/resources/identityBindings';
import type { IdentityUse } from '../clusterRuntime';
import type { CloudReply, CloudRequest } from '../server/exchange';
import type { ResourceDocument } from '../store/documents';
import { matchCredential } from './federation';
import type { Authenticate } from './grants/clientCredentials';
import { JWT_BEARER } from './grants/clientCredentials';
import { credentialsOf } from './grants/federated';
import { readForm } from './grants/form';
import type { TokenContext } from './token';
import { token } from './token';

const TOKEN = 'oauth2/v2.0/token';

/** Source: MicrosoftDocs/azure-aks-docs `articles/aks/identity-bindings-concepts.md`. */
const [VERB, GROUP] = ['use-managed-identity', 'cid.wi.aks.azure.com'];

/** A refusal in the form of OAuth, which the clients show. Statuses and texts of AKS are not known. */
const refused = (status: number, error: string, error_description: string): CloudReply => ({
  status,
  body: { error, error_description },
});

/** Reviews a use of an identity at the API server of the cluster. */
export type Review = (request: {
  token: string;
  audience: string;
  /** The permission that the account needs; the resource is the client id. */
  permission: { verb: string; group: string; resource: string };
}) => Promise<IdentityUse>;

/** Signs in as the identity of a binding, on behalf of a service account. */
const forAccount =
  (cluster: ResourceDocument, account: string): Authenticate =>
  (context, client, _form, entry) => {
    const presented = presentedFor(client.principal.clientId);
    const { issuer, audience } = presented;
    const audiences = [audience];
    Object.assign(entry, { grant: 'federated', issuer, subject: account, audiences, cluster: cluster.name });
    const seenUntil = context.clock.now() - context.propagation();
    entry.credential = matchCredential(credentialsOf(context.store, client), presented, seenUntil).name;
  };

/**
 * Answers a request to the token proxy of a cluster: with a token of an identity if the service account may use it by a binding
 * of this cluster. Source of the paths: Azure's SDKs, and kubernetes-sigs/cloud-provider-azure
 * `pkg/credentialprovider/identity_bindings_credentials.go`. The order of the checks is assumed.
 */
export async function tokenForPod(
  context: TokenContext,
  cluster: ResourceDocument,
  request: CloudRequest,
  review: Review,
): Promise<CloudReply> {
  const [tenant = TENANT_ID, ...rest] = request.segments;
  const isToken = request.segments.length === 0 || rest.join('/').toLowerCase() === TOKEN;
  if (!isToken || request.method !== 'POST') {
    return refused(
      isToken ? 405 : 404,
      'invalid_request',
      `The token proxy has POST /{tenant}/${TOKEN} and POST /, not '${request.method} ${request.target}'.`,
    );
  }
  const form = readForm(request.body, request.headers['content-type']);
  const [clientId, assertion] = [form.get('client_id')?.toLowerCase(), form.get('client_assertion')];
  if (!clientId || !assertion || form.get('client_assertion_type') !== JWT_BEARER) {
    return refused(
      400,
      'invalid_request',
      `The request needs 'client_id', 'client_assertion' with the token of a service account, and 'client_assertion_type' with '${JWT_BEARER}'.`,
    );
  }
  const permission = { verb: VERB, group: GROUP, resource: clientId };
  const use = await review({ token: assertion, audience: BINDING_AUDIENCE, permission });
  if (use.account === undefined) {
    return refused(
      401,
      'invalid_client',
      `The cluster '${cluster.name}' refuses the token for the audience '${BINDING_AUDIENCE}': ${use.problem}`,
    );
  }
  if (!use.allowed) {
    return refused(
      403,
      'unauthorized_client',
      `'${use.account}' may not '${VERB}' the resource '${clientId}' in the API group '${GROUP}'. Bind a ClusterRole with this permission to it in the cluster '${cluster.name}'.`,
    );
  }
  if (bindingFor(context, cluster, clientId) === undefined) {
    return refused(
      403,
      'unauthorized_client',
      `The cluster '${cluster.name}' has no identity binding for the client id '${clientId}'.`,
    );
  }
  const segments = [tenant, ...TOKEN.split('/')];
  return token(context, { ...request, segments }, 'v2', forAccount(cluster, use.account));
}
