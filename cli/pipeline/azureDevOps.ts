import * as z from 'zod';
import { jsonClient } from '../jsonClient';
import { required } from './environment';
import { markerIn, type PullRequests } from './pullRequests';

const hint =
  'Map `SYSTEM_ACCESSTOKEN: $(System.AccessToken)` into the step, and give the build service the permissions Contribute and Contribute to pull requests on the repository.';
const version = 'api-version=7.1';
const threads = z.object({
  value: z.array(
    z.object({
      id: z.number(),
      comments: z.array(z.object({ id: z.number(), content: z.string().nullish() })).nullish(),
    }),
  ),
});
const pull = z.object({ pullRequestId: z.number() });

/** Returns the pull requests of a repository in Azure DevOps (its REST API, git/pull-request-threads and git/pull-requests). */
export function azureDevOps(env: NodeJS.ProcessEnv): PullRequests {
  const current = env.SYSTEM_PULLREQUEST_PULLREQUESTID || undefined;
  const client = () => {
    const variables = required(
      env,
      ['SYSTEM_COLLECTIONURI', 'SYSTEM_TEAMPROJECT', 'BUILD_REPOSITORY_ID', 'SYSTEM_ACCESSTOKEN'],
      hint,
    );
    const project = `${variables.SYSTEM_COLLECTIONURI}${encodeURIComponent(variables.SYSTEM_TEAMPROJECT)}`;
    return {
      send: jsonClient({ authorization: `Bearer ${variables.SYSTEM_ACCESSTOKEN}` }, hint),
      requests: `${project}/_apis/git/repositories/${variables.BUILD_REPOSITORY_ID}/pullRequests`,
    };
  };
  return {
    current,
    async comment(content) {
      const { send, requests } = client();
      const list = `${requests}/${current ?? ''}/threads`;
      const { value } = threads.parse(await send('GET', `${list}?${version}`));
      for (const { id, comments } of value) {
        const first = comments?.[0];
        if (first === undefined || markerIn(first.content ?? '') !== markerIn(content)) continue;
        await send('PATCH', `${list}/${id}/comments/${first.id}?${version}`, { content });
        return;
      }
      // Closed, because it needs no answer and must not block a merge.
      const comments = [{ parentCommentId: 0, content, commentType: 'text' }];
      await send('POST', `${list}?${version}`, { comments, status: 'closed' });
    },
    async open({ branch, base, title, text: description }) {
      const { send, requests } = client();
      const refs = { sourceRefName: `refs/heads/${branch}`, targetRefName: `refs/heads/${base}` };
      const query = `searchCriteria.sourceRefName=${encodeURIComponent(refs.sourceRefName)}&searchCriteria.status=active`;
      const { value } = z
        .object({ value: z.array(pull) })
        .parse(await send('GET', `${requests}?${query}&${version}`));
      const [open] = value;
      const written =
        open === undefined
          ? await send('POST', `${requests}?${version}`, { ...refs, title, description })
          : await send('PATCH', `${requests}/${open.pullRequestId}?${version}`, { title, description });
      return `${env.BUILD_REPOSITORY_URI ?? ''}/pullrequest/${pull.parse(written).pullRequestId}`;
    },
  };
}
