import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LogQuery } from '../../../kubernetes/kubelet/logQuery';
import type { OpenedLog } from '../../../kubernetes/kubelet/readLog';
import { openLog } from '../../../kubernetes/kubelet/readLog';

describe('reading a log', () => {
  let folder: string;
  let logFile: string;
  const opened: OpenedLog[] = [];
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'read-log-'));
    logFile = path.join(folder, 'main.log');
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  interface Run {
    run: number | undefined;
  }
  const open = async (query: Partial<LogQuery>, container: Run = { run: 0 }) => {
    const log = await openLog(
      {
        logFile,
        get run() {
          return container.run;
        },
      },
      { follow: false, ...query },
    );
    opened.push(log);
    return log;
  };
  const read = async (query: Partial<LogQuery>, container?: Run) => {
    let text = '';
    for await (const chunk of (await open(query, container)).chunks(new AbortController().signal))
      text += chunk.toString();
    return text;
  };

  it.each<[string, Partial<LogQuery>, string]>([
    ['a\nb\nc\n', {}, 'a\nb\nc\n'],
    ['a\nb\nc\n', { tailLines: 2 }, 'b\nc\n'],
    ['a\nb\nc', { tailLines: 2 }, 'b\nc'],
    ['a\nb\n\n', { tailLines: 1 }, '\n'],
    ['a\nb\n', { tailLines: 2 }, 'a\nb\n'],
    ['a\nb\n', { tailLines: 9 }, 'a\nb\n'],
    ['a\nb\n', { tailLines: 0 }, ''],
    ['abc\ndef\n', { limitBytes: 5 }, 'abc\nd'],
    ['abc\ndef\n', { tailLines: 1, limitBytes: 2 }, 'de'],
    ['', { tailLines: 3 }, ''],
  ])('%j by %j', async (content, query, expected) => {
    writeFileSync(logFile, content);
    expect(await read(query)).toBe(expected);
  });

  it('finds last lines that are longer than one chunk', async () => {
    const lines = ['x'.repeat(100_000), 'y'.repeat(150_000), 'z'.repeat(70_000)];
    writeFileSync(logFile, `${lines.join('\n')}\n`);
    expect(await read({ tailLines: 2 })).toBe(`${lines.slice(1).join('\n')}\n`);
  });

  it('is empty if nothing was written', async () => {
    expect(await read({ follow: true }, { run: undefined })).toBe('');
  });

  it.each([undefined, 4])(
    'follows until the run has ended (next: %s), including its last output',
    async (next) => {
      // Given a log that is followed
      writeFileSync(logFile, 'old\nfirst\n');
      const container: Run = { run: 3 };
      const log = await open({ follow: true, tailLines: 1 }, container);
      const following = log.chunks(new AbortController().signal);
      expect(await following.next()).toEqual({ done: false, value: Buffer.from('first\n') });
      // When the run writes its last output and ends
      appendFileSync(logFile, 'last words\n');
      container.run = next;
      // Then
      expect(await following.next()).toEqual({ done: false, value: Buffer.from('last words\n') });
      expect(await following.next()).toMatchObject({ done: true });
    },
  );

  it('begins where the log ended when it was opened', async () => {
    writeFileSync(logFile, 'before\n');
    const log = await open({ follow: true, tailLines: 0, limitBytes: 5 });
    appendFileSync(logFile, 'after\nmore\n');
    const following = log.chunks(new AbortController().signal);
    expect(await following.next()).toEqual({ done: false, value: Buffer.from('after') });
    expect(await following.next()).toMatchObject({ done: true });
  });

  it('stops following when the reader disconnects', async () => {
    writeFileSync(logFile, 'first\n');
    const gone = new AbortController();
    const chunks: string[] = [];
    for await (const chunk of (await open({ follow: true })).chunks(gone.signal)) {
      chunks.push(chunk.toString());
      gone.abort();
    }
    expect(chunks).toEqual(['first\n']);
  });
});
