import type { IncomingMessage, ServerResponse } from 'node:http';
import { handle } from '../../../kubernetes/kubelet/handle';

it.each([
  ['/%zz', 400],
  ['/containerLogs/%zz/pod/main', 400],
  ['/containerLogs/namespace/pod/%ff', 400],
  ['//', 400],
  ['/metrics', 404],
])('a request for %s is refused', async (url, status) => {
  const request = { method: 'GET', url } as IncomingMessage;
  await expect(handle(request, {} as ServerResponse, () => undefined)).rejects.toMatchObject({
    name: 'Refusal',
    status,
  });
});
