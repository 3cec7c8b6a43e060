import { readdir, readFile, readlink } from 'node:fs/promises';

/** A running process, from /proc. */
export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** Returns every process whose command line, working directory or environment names the folder. */
export async function processesOf(folder: string): Promise<RunningProcess[]> {
  const found: RunningProcess[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      const command = (await readFile(`/proc/${entry}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
      const cwd = await readlink(`/proc/${entry}/cwd`);
      const environment = await readFile(`/proc/${entry}/environ`, 'utf8');
      if (
        command !== '' &&
        (command.includes(folder) || cwd.startsWith(folder) || environment.includes(folder))
      )
        found.push({ pid: Number(entry), command });
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
  return found;
}

/** Returns the local addresses (`address:port`) on which these processes listen. */
export async function listeningSockets(processes: readonly RunningProcess[]): Promise<string[]> {
  const inodes = new Set((await Promise.all(processes.map(({ pid }) => socketInodes(pid)))).flat());
  const listening = await allListeningSockets();
  return listening.filter(({ inode }) => inodes.has(inode)).map(({ address }) => address);
}

async function socketInodes(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  const targets = await Promise.all(descriptors.map((fd) => readlink(`${folder}/${fd}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

/** Returns all listening TCP sockets of the machine (proc(5), /proc/net/tcp: state 0A). */
export async function allListeningSockets(): Promise<{ address: string; inode: string }[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  return tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A')
    .map((fields) => ({ address: decodeAddress(fields[1] ?? ''), inode: fields[9] ?? '' }));
}

/** Converts `0100007F:1F90` to `127.0.0.1:8080`. IPv6 addresses stay in the kernel's format. */
function decodeAddress(encoded: string): string {
  const [address = '', port = ''] = encoded.split(':');
  const bytes = address.match(/../g) ?? [];
  const text =
    bytes.length === 4
      ? bytes
          .reverse()
          .map((byte) => parseInt(byte, 16))
          .join('.')
      : `[${address}]`;
  return `${text}:${parseInt(port, 16)}`;
}
