import { gunzipSync } from 'node:zlib';

/** A file of a packaged chart. */
export interface ArchivedFile {
  name: string;
  content: Buffer;
}

const blockBytes = 512;

/** The files of a `.tgz`, in the order in which they are stored. */
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

/** `<length> path=<name>\n`, one of the records of a pax header. */
function paxPath(content: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length).toString('utf8');
  return (field.split('\0')[0] ?? '').trim();
}
