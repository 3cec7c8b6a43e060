import { createServer as createProxy } from 'node:http';
import { createServer, request } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createCertificate } from '../../../cli/azureRun/certificate';
import { startRecorder, type Recorder } from '../../../cli/azureRun/recorder';
import { connectTo } from '../../../cli/azureRun/upstream';

// A server behind a proxy stands in for Azure and for a cluster. What these do not prove: that Azure's own clients trust the
// recorder; the end-to-end test of the command does, for the local cloud's.

const port = (server: Server) => (server.address() as AddressInfo).port;
const listening = async <T extends Server>(server: T): Promise<T> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const secret = 'S3cret-Value-9f8e7d';
const servers: Server[] = [];
const tunnels: string[] = [];
let azure: { certificate: string; key: string };
let recorder: Recorder;

beforeAll(async () => {
  azure = await createCertificate();
  const service = await listening(
    createServer({ cert: azure.certificate, key: azure.key }, (incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        response.writeHead(201, { 'content-type': 'application/json', 'retry-after': '3' });
        const { authorization } = incoming.headers;
        response.end(JSON.stringify({ authorization, sent: Buffer.concat(chunks).toString() }));
      });
    }),
  );
  const proxy = createProxy();
  proxy.on('connect', ({ url = '' }, client: Socket) => {
    tunnels.push(url);
    const other = connect(port(service), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      other.pipe(client).pipe(other);
    });
    for (const socket of [client, other]) socket.on('error', () => socket.destroy());
  });
  servers.push(service, await listening(proxy));
  recorder = await startRecorder({ proxy: `http://127.0.0.1:${port(proxy)}`, ca: azure.certificate });
});
afterAll(async () => {
  await recorder.close();
  for (const server of servers) server.close();
});

/** Sends a request through the recorder, as a client that trusts only this certificate. */
async function send(
  host: string,
  ca: string,
  verifiedName = host,
): Promise<{ status?: number; body: string }> {
  const socket = await connectTo({ proxy: recorder.url }, host, 443);
  const secure = connectTls({ socket, ca, servername: verifiedName });
  return new Promise((resolve, reject) => {
    secure.once('error', reject);
    const sent = request(
      {
        ...{ host, method: 'PUT', path: '/secrets/orders?api-version=7.5', createConnection: () => secure },
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      },
      (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => {
          secure.destroy();
          resolve({ ...(answer.statusCode && { status: answer.statusCode }), body });
        });
      },
    );
    sent.once('error', reject);
    sent.end(JSON.stringify({ value: secret }));
  });
}

describe('the recorder', () => {
  it('passes on a request with its token, and records its shape alone', async () => {
    const { status, body } = await send('kv-one.vault.azure.net', recorder.certificate);

    expect(`${status} ${body}`).toMatch(/^201/);
    expect(JSON.parse(body)).toEqual({
      authorization: `Bearer ${secret}`,
      sent: JSON.stringify({ value: secret }),
    });
    expect(recorder.records()).toEqual([
      {
        ...{ method: 'PUT', host: '{}.vault.azure.net', path: '/secrets/{}', apiVersion: '7.5', status: 201 },
        ...{ errorCode: '', headers: ['retry-after'], request: { value: 'string' } },
        response: { authorization: 'string', sent: 'string' },
      },
    ]);
    expect(JSON.stringify(recorder.records())).not.toMatch(new RegExp(`${secret}|kv-one|orders`));
    expect(tunnels).toContain('kv-one.vault.azure.net:443');
  });

  it('passes on other hosts unread: the client sees the certificate of the host', async () => {
    const before = recorder.records().length;
    // The stand-in has no certificate of such a name.
    const { status } = await send('one.hcp.azmk8s.io', azure.certificate, 'management.azure.com');

    expect(status).toBe(201);
    expect(recorder.records()).toHaveLength(before);
    await expect(send('one.hcp.azmk8s.io', recorder.certificate, 'management.azure.com')).rejects.toThrow(
      /self-signed|certificate/,
    );
  });

  it('answers 502 if a service shows a certificate that it does not trust', async () => {
    const strict = recorder;
    const other = await startRecorder({ proxy: `http://127.0.0.1:${port(servers[1] as Server)}` });
    recorder = other;
    try {
      const { status, body } = await send('management.azure.com', other.certificate);
      expect({ status, body }).toMatchObject({
        status: 502,
        body: expect.stringContaining('certificate') as string,
      });
      expect(other.records()).toEqual([]);
    } finally {
      recorder = strict;
      await other.close();
    }
  });
});
