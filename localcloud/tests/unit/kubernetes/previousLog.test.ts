import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { handle } from '../../../kubernetes/kubelet/handle';
import type { ContainerProcess } from '../../../kubernetes/kubelet/pods';

describe('a request for the log of the run before', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'previous-log-'));
    for (const name of ['now', 'before']) writeFileSync(path.join(folder, name), `first\n${name}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function answer(previousLogFile: string | undefined, query: string): Promise<string> {
    const container: ContainerProcess = {
      logFile: path.join(folder, 'now'),
      previousLogFile: () => previousLogFile,
      run: 1,
      waitingFor: undefined,
    };
    const response = Object.assign(new PassThrough(), {
      writeHead: () => undefined,
      flushHeaders: () => undefined,
    });
    const request = { method: 'GET', url: `/containerLogs/shop/orders/main?${query}` } as IncomingMessage;
    const pod = { container: () => container, hostPorts: () => ({}) };
    const [body] = await Promise.all([
      text(response),
      handle(request, response as unknown as ServerResponse, () => pod),
    ]);
    return body;
  }

  it.each([
    ['previous=true&tailLines=1', 'before\n'],
    // The run is over, whatever the current one writes.
    ['previous=true&follow=true', 'first\nbefore\n'],
    ['previous=false&tailLines=1', 'now\n'],
  ])('%s', async (query, expected) => {
    expect(await answer(path.join(folder, 'before'), query)).toBe(expected);
  });

  it('is refused before the first restart, as a kubelet does', async () => {
    await expect(answer(undefined, 'previous=true')).rejects.toMatchObject({
      name: 'Refusal',
      status: 400,
      message: 'previous terminated container "main" in pod "orders" not found',
    });
  });
});
