import { execFileSync } from 'node:child_process';
import { readArchive, writeArchive } from '../../../charts/archive';

const file = (name: string, text: string) => ({ name, content: Buffer.from(text) });

describe('an archive of a chart', () => {
  it('contains what was written, also for tar', () => {
    const files = [
      file('reports/Chart.yaml', 'name: reports\n'),
      file('reports/empty', ''),
      file('reports/ä', 'ö'),
    ];

    const archive = writeArchive(files);

    expect(readArchive(archive).sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(files);
    expect(
      execFileSync('tar', ['-xzO', '-f', '-', 'reports/Chart.yaml'], { input: archive }).toString(),
    ).toBe('name: reports\n');
  });

  it('has the same bytes for the same files in any order', () => {
    const [first, second] = [file('c/a', '1'), file('c/b', '2')];
    expect(writeArchive([first, second]).equals(writeArchive([second, first]))).toBe(true);
  });

  it('refuses a path that does not fit', () => {
    expect(() => writeArchive([file('x'.repeat(101), '')])).toThrow('100 bytes');
  });
});
