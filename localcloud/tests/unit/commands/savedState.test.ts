import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withAddresses } from '../../../commands/saves/addresses';
import { copyState, isSaved } from '../../../commands/saves/copy';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'saved-state-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('what is saved', () => {
  it.each([
    ...[
      'credentials.json',
      'tls',
      'Pulumi.dev.yaml',
      'stack-files',
      'azure/secrets.key',
      'azure/audit.jsonl',
    ],
    ...[
      'clusters/1/etcd/member/snap/db',
      'clusters/1/pki',
      'clusters/1/node',
      'clusters/1/ports.json',
      'clusters/1/pods/2/volumes',
    ],
    'pulumi/.pulumi/stacks',
  ])('%s is', (name) => expect(isSaved(name)).toBe(true));

  it.each([
    ...['logs', 'run.json', 'run.json.12', 'command.lock', 'localcloud.lock', 'localcloud.lock.takeover'],
    ...['kubeconfigs', 'pulumi-home', 'init-Ab3', 'azure/ports.json', 'pulumi/.pulumi/locks'],
    ...['clusters/1/logs', 'clusters/1/run', 'clusters/1/pids', 'clusters/1/helm'],
    ...['clusters/1/pods/2/kubeconfig', 'clusters/1/pods/2/containers', 'clusters/1/etcd/member/wal/0.tmp'],
  ])('%s is not', (name) => expect(isSaved(name)).toBe(false));

  it('is copied with its links and modes, only for its owner', async () => {
    const from = path.join(root, 'from');
    mkdirSync(path.join(from, 'azure', 'resources'), { recursive: true });
    mkdirSync(path.join(from, 'logs'));
    writeFileSync(path.join(from, 'logs', 'localcloud.log'), 'a line');
    writeFileSync(path.join(from, 'credentials.json'), '{}', { mode: 0o600 });
    writeFileSync(path.join(from, 'azure', 'resources', 'a.json'), 'resource');
    symlinkSync('resources', path.join(from, 'azure', 'link'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path.join(from, 'socket'), resolve));

    const to = path.join(root, 'to');
    const extent = await copyState(from, to, new AbortController().signal);
    await new Promise((resolve) => server.close(resolve));

    expect(extent).toEqual({ files: 3, bytes: 10 });
    expect(readdirSync(to).sort()).toEqual(['azure', 'credentials.json']);
    expect(readFileSync(path.join(to, 'azure', 'resources', 'a.json'), 'utf8')).toBe('resource');
    expect(lstatSync(path.join(to, 'azure', 'link')).isSymbolicLink()).toBe(true);
    expect(statSync(path.join(to, 'credentials.json')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(to, 'azure')).mode & 0o777).toBe(0o700);

    const stopped = AbortSignal.abort(new Error('Interrupted.'));
    await expect(copyState(from, path.join(root, 'stopped'), stopped)).rejects.toThrow('Interrupted.');
  });
});

it('the addresses of clusters change at once, and no other address does', () => {
  const changes = new Map([
    [20001, 20002],
    [20002, 20003],
  ]);
  const at = (...ports: number[]) => ports.map((port) => `"https://127.0.0.1:${port}"`).join();
  const others = '"https://127.0.0.1:200010", "https://10.0.0.1:20001", "127.0.0.1:20001"';
  expect(withAddresses(`${at(20001, 20002)}, ${others}`, changes)).toBe(`${at(20002, 20003)}, ${others}`);
});
