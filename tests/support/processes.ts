import { readdir, readFile, readlink } from 'node:fs/promises';

/** A running process, as /proc shows it. */
export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** Every process whose command line, working directory or environment names the folder. */
export async function processesOf(folder: string): Promise<RunningProcess[]> {
  const found: RunningProcess[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      const command = (await readFile(`/proc/${entry}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
      const cwd = await readlink(`/proc/${entry}/cwd`);
      if (command !== '' && (command.includes(folder) || cwd.startsWith(folder)))
        found.push({ pid: Number(entry), command });
    } catch {
      // It ended while we looked, or belongs to another user.
    }
  }
  return found;
}

/** Local addresses of all TCP sockets that listen, `address:port`. */
export async function listeningSockets(): Promise<string[]> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1);
  const lines6 = (await readFile('/proc/net/tcp6', 'utf8').catch(() => '')).trim().split('\n').slice(1);
  return [...lines, ...lines6]
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A')
    .map((fields) => decodeAddress(fields[1] ?? ''));
}

function decodeAddress(encoded: string): string {
  const [address = '', port = ''] = encoded.split(':');
  const bytes = address.match(/../g) ?? [];
  const text =
    bytes.length === 4
      ? bytes
          .reverse()
          .map((byte) => parseInt(byte, 16))
          .join('.')
      : /^0+$/.test(address)
        ? '::'
        : `[${address}]`;
  return `${text}:${parseInt(port, 16)}`;
}
