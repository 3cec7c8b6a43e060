import { gunzipSync, gzipSync } from 'node:zlib';

/** A file in a chart package. */
export interface ArchivedFile {
  name: string;
  content: Buffer;
}

const blockBytes = 512;

// Chart packages are small, and read synchronously. `tar-stream` would make every reader asynchronous.

/** Returns the files of a `.tgz`, in stored order. */
export function readArchive(archive: Buffer): ArchivedFile[] {
  const tar = gunzipSync(archive);
  const files: ArchivedFile[] = [];
  let longName: string | undefined;
  for (let offset = 0; offset + blockBytes <= tar.length;) {
    const header = tar.subarray(offset, offset + blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const size = Number.parseInt(text(header, 124, 12) || '0', 8);
    const content = tar.subarray(offset + blockBytes, offset + blockBytes + size);
    offset += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L') longName = content.toString('utf8').replace(/\0+$/, '');
    else if (type === 'x') longName = paxPath(content) ?? longName;
    else {
      if (type === '0' || type === '\0') files.push({ name: longName ?? nameIn(header), content });
      longName = undefined;
    }
  }
  return files;
}

function nameIn(header: Buffer): string {
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : '';
  const name = text(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Returns the name in `<length> path=<name>\n`, a record of a pax header. */
function paxPath(content: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length).toString('utf8');
  return (field.split('\0')[0] ?? '').trim();
}

/** Returns a `.tgz` with the files; the same files give the same bytes. Paths have at most 100 bytes. */
export function writeArchive(files: readonly ArchivedFile[]): Buffer {
  const entries = [...files]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, content }) => {
      const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
      return Buffer.concat([header(name, content.length), content, padding]);
    });
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * blockBytes)]));
}

/** Returns the header of a regular file: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html (ustar). */
function header(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100)
    throw new Error(`'${name}' is longer than the 100 bytes of a tar header`);
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12), 100);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)} `, 148);
  return block;
}
