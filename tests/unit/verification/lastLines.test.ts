import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAzureAccess } from '../../../verification/azureAccess';
import { twoClusters } from './outputs.fixture';

it('reads the last lines of the previous run of the container that it names', async () => {
  const requested: string[] = [];
  const server = http.createServer(({ url = '' }, response) => {
    requested.push(url);
    response.writeHead(200, { 'content-type': 'text/plain' }).end('panic:\nno settings\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = JSON.stringify({
    clusters: [
      { name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
    ],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  });
  const access = createAzureAccess({ ...twoClusters(), kubeconfigs: { 'aks-1': kubeconfig } });

  const container = { cluster: 'aks-1', namespace: 'shop', pod: 'orders-1', container: 'main' };
  const lines = await access.lastLines(container).finally(() => server.close());

  expect(lines).toBe('panic:\nno settings\n');
  const [{ pathname, searchParams }] = requested.map((url) => new URL(url, 'http://cluster')) as [URL];
  expect(pathname).toBe('/api/v1/namespaces/shop/pods/orders-1/log');
  expect(Object.fromEntries(searchParams)).toEqual({ container: 'main', previous: 'true', tailLines: '5' });
});
