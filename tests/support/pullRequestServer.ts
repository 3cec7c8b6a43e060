import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A comment on a pull request. */
interface Entry {
  id: number;
  text: string;
}

const textsIn = ({ title, body, description }: Record<string, unknown>) => ({
  title: String(title),
  text: String(body ?? description),
});

/**
 * Serves the parts of GitHub's and Azure DevOps' REST APIs that the pipelines use, as documented: comments on pull
 * requests, and pull requests themselves. It accepts one token.
 */
export class PullRequestServer {
  readonly token = 'token-of-the-job';
  readonly comments: Entry[] = [];
  readonly opened: { branch: string; base: string; title: string; text: string }[] = [];
  /** Number of the next requests that are throttled. */
  throttled = 0;
  private readonly server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      if (this.throttled > 0) {
        this.throttled -= 1;
        response.writeHead(429, { 'retry-after': '0' }).end();
        return;
      }
      const answer =
        headers.authorization === `Bearer ${this.token}`
          ? this.answer(`${method} ${url}`, body === '' ? {} : (JSON.parse(body) as Record<string, string>))
          : undefined;
      response.writeHead(answer === undefined ? 403 : 200).end(JSON.stringify(answer ?? {}));
    });
  });

  start = () => new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  stop = () => new Promise((resolve) => this.server.close(resolve));

  /** The variables that each system sets for a job. */
  get variables() {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return {
      gitHub: { GITHUB_API_URL: url, GITHUB_REPOSITORY: 'contoso/identities', GITHUB_TOKEN: this.token },
      devOps: {
        ...{ SYSTEM_COLLECTIONURI: `${url}/contoso/`, SYSTEM_TEAMPROJECT: 'Identity Team' },
        BUILD_REPOSITORY_PROVIDER: 'TfsGit',
        ...{ BUILD_REPOSITORY_ID: 'r1', BUILD_REPOSITORY_URI: `${url}/r1`, SYSTEM_ACCESSTOKEN: this.token },
      },
    };
  }

  private answer(request: string, body: Record<string, unknown>): unknown {
    const threads = '/contoso/Identity%20Team/_apis/git/repositories/r1/pullRequests';
    const id = Number(/(\d+)(?:\?.*)?$/.exec(request.replace(/\?.*$/, ''))?.[1] ?? 0);
    const add = (text: unknown) => this.comments.push({ id: 100 + this.comments.length, text: String(text) });
    const change = (text: unknown) => {
      const found = this.comments.find((comment) => comment.id === id);
      if (found !== undefined) found.text = String(text);
    };
    const [method] = request.split(' ');
    if (request.includes('/issues/7/comments')) {
      if (method === 'POST') add(body.body);
      const page = Number(/[?&]page=(\d+)/.exec(request)?.[1] ?? 1);
      return this.comments
        .slice((page - 1) * 100, page * 100)
        .map((comment) => ({ id: comment.id, body: comment.text }));
    }
    if (request.startsWith('PATCH /repos/contoso/identities/issues/comments/')) {
      change(body.body);
      return {};
    }
    if (request.includes(`${threads}/7/threads`)) {
      if (method === 'POST') add((body.comments as { content: string }[])[0]?.content);
      if (method === 'PATCH' && !request.includes('/7/threads/1/comments/')) return undefined;
      if (method === 'PATCH') change(body.content);
      return {
        value: this.comments.map((comment) => ({
          id: 1,
          comments: [{ id: comment.id, content: comment.text }],
        })),
      };
    }
    const isGitHub = request.includes('/repos/contoso/identities/pulls');
    if (!isGitHub && !request.includes(threads)) return undefined;
    if (method === 'POST') {
      const short = (ref: unknown) => String(ref).replace('refs/heads/', '');
      const [branch, base] = [short(body.head ?? body.sourceRefName), short(body.base ?? body.targetRefName)];
      this.opened.push({ branch, base, ...textsIn(body) });
    }
    const open = this.opened[id - 1];
    if (method === 'PATCH' && open !== undefined) Object.assign(open, textsIn(body));
    const all = this.opened.map((_, index) => ({
      number: index + 1,
      html_url: `https://example/${index + 1}`,
      pullRequestId: index + 1,
    }));
    if (method === 'POST') return all.at(-1);
    if (method === 'PATCH') return all[id - 1];
    const { searchParams: asked } = new URL(request.replace(/^GET /, ''), 'http://localhost');
    const isOpen = (asked.get('state') ?? asked.get('searchCriteria.status') ?? '').replace('active', 'open');
    const head = asked.get('head') ?? asked.get('searchCriteria.sourceRefName') ?? '';
    const found = all.filter(
      (_, index) =>
        isOpen === 'open' &&
        /^(?:contoso:|refs\/heads\/)(.*)$/.exec(head)?.[1] === this.opened[index]?.branch,
    );
    return isGitHub ? found : { value: found };
  }
}
