import type { ClusterRuntime, IdentityUse } from '../azure/clusterRuntime';
import type { ApiClient } from './api/client';

type Request = Parameters<NonNullable<ClusterRuntime['reviewIdentityUse']>>[1];

interface TokenReview {
  status: {
    authenticated?: boolean;
    error?: string;
    user?: { username: string; uid?: string; groups?: string[]; extra?: Record<string, string[]> };
  };
}

/** Asks the API server whose a token is, by TokenReview, and whether it has a permission, by SubjectAccessReview. */
export async function reviewIdentityUse(
  client: Pick<ApiClient, 'create'>,
  { token, audience, permission }: Request,
): Promise<IdentityUse> {
  const { status } = await client.create<TokenReview>('/apis/authentication.k8s.io/v1/tokenreviews', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token, audiences: [audience] },
  });
  if (status.authenticated !== true || status.user === undefined) {
    return { problem: status.error ?? 'it is not authenticated' };
  }
  const { username, uid, groups, extra } = status.user;
  const access = await client.create<{ status: { allowed: boolean } }>(
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: username, uid, groups, extra, resourceAttributes: permission },
    },
  );
  return { account: username, allowed: access.status.allowed };
}
