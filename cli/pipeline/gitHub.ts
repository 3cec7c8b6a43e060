import * as z from 'zod';
import { jsonClient } from '../jsonClient';
import { required } from './environment';
import { markerIn, type PullRequests } from './pullRequests';

const hint =
  'Give the job `permissions: pull-requests: write` (and `contents: write` to open one), and the step `GITHUB_TOKEN: ${{ github.token }}`.';
const pageSize = 100;
const comments = z.array(z.object({ id: z.number(), body: z.string().nullish() }));
const pull = z.object({ number: z.number(), html_url: z.string() });

/** Returns the pull requests of a repository on GitHub (docs.github.com, rest/issues/comments and rest/pulls/pulls). */
export function gitHub(env: NodeJS.ProcessEnv): PullRequests {
  const current = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1];
  const client = () => {
    const names = ['GITHUB_API_URL', 'GITHUB_REPOSITORY', 'GITHUB_TOKEN'] as const;
    const variables = required(env, names, hint);
    const headers = {
      authorization: `Bearer ${variables.GITHUB_TOKEN}`,
      accept: 'application/vnd.github+json',
    };
    const repository = `${variables.GITHUB_API_URL}/repos/${variables.GITHUB_REPOSITORY}`;
    return { send: jsonClient(headers, hint), repository };
  };
  return {
    current,
    async comment(text) {
      const { send, repository } = client();
      const list = `${repository}/issues/${current ?? ''}/comments`;
      for (let page = 1; ; page += 1) {
        const commentsOnPage = comments.parse(await send('GET', `${list}?per_page=${pageSize}&page=${page}`));
        const ours = commentsOnPage.find(({ body }) => markerIn(body ?? '') === markerIn(text));
        if (ours !== undefined) {
          await send('PATCH', `${repository}/issues/comments/${ours.id}`, { body: text });
          return;
        }
        if (commentsOnPage.length < pageSize) break;
      }
      await send('POST', list, { body: text });
    },
    async open({ branch, base, title, text: body }) {
      const { send, repository } = client();
      const pulls = `${repository}/pulls`;
      const owner = env.GITHUB_REPOSITORY?.split('/')[0] ?? '';
      const query = `head=${encodeURIComponent(`${owner}:${branch}`)}&state=open`;
      const [open] = z.array(pull).parse(await send('GET', `${pulls}?${query}`));
      const written =
        open === undefined
          ? await send('POST', pulls, { title, body, base, head: branch })
          : await send('PATCH', `${pulls}/${open.number}`, { title, body });
      return pull.parse(written).html_url;
    },
  };
}
