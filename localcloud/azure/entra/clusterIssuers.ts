import type { CloudReply, CloudRequest } from '../server/exchange';
import type { Store } from '../store/store';
import type { Clusters } from '../arm/resources/clusterLifecycle';
import { CLUSTER_TYPE, clusterGuid, hasIssuer, issuerOf } from '../arm/resources/clusterLifecycle';

const DOCUMENTS: Record<string, 'discovery' | 'keys'> = {
  '.well-known/openid-configuration': 'discovery',
  'openid/v1/jwks': 'keys',
};

const missing = (message: string): CloudReply => ({
  status: 404,
  body: { error: { code: 'ResourceNotFound', message } },
});

/** Answers requests for the documents at a cluster's issuer, which are the API server's own. They need no credentials. */
export async function clusterIssuer(
  store: Store,
  clusters: Clusters,
  request: CloudRequest,
): Promise<CloudReply> {
  const [tenant = '', guid = '', ...rest] = request.segments;
  const document = DOCUMENTS[rest.join('/')];
  if (request.method !== 'GET' || document === undefined) {
    return missing(
      `'${request.method} ${rest.join('/')}' is not one of GET ${Object.keys(DOCUMENTS).join(', GET ')}.`,
    );
  }
  const issuer = `https://${request.host}/${tenant}/${guid}/`;
  const cluster = store
    .ofType(CLUSTER_TYPE)
    .find((candidate) => hasIssuer(candidate) && issuerOf(candidate) === issuer);
  if (cluster === undefined) return missing(`No cluster has the issuer '${issuer}'.`);
  return {
    status: 200,
    headers: { 'cache-control': 'max-age=3600' },
    body: await clusters.runtime.issuerDocument(clusterGuid(cluster), document),
  };
}
