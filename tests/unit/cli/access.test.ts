import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { accessCommand } from '../../../cli/access/command';
import { differenceInMarkdown } from '../../../cli/access/markdown';
import { readStackOutputs } from '../../../cli/stackOutputs';
import { twoClusters } from '../verification/outputs.fixture';
import { reviewed } from '../support/reviewed';
import { refusalOf } from './refusal';
import { stackText, withProject } from './projectFolder';

jest.mock('../../../cli/stackOutputs');

const orders = (secrets: string) => `{ name: orders, image: 'ghcr.io/x/orders:1', secrets: [${secrets}] }`;
const files = {
  'Pulumi.dev.yaml': stackText('dev', orders('orders-db')),
  'Pulumi.prod.yaml': stackText('prod', orders('orders-db, pay-ment')),
};

/** What the command prints in a project with two stacks. */
async function run(...args: string[]): Promise<string> {
  return withProject(files, async (folder) => {
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    writeFileSync(path.join(folder, 'broken.json'), '{"environment":"dev"}');
    writeFileSync(path.join(folder, 'page.html'), '');
    writeFileSync(path.join(folder, 'Pulumi.wrong.yaml'), stackText('wrong', orders('UPPER CASE')));
    let printed = '';
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    const inFolder = args.map((arg) => arg.replace('@', `${folder}/`));
    await accessCommand().exitOverride().parseAsync(inFolder, { from: 'user' });
    return stripVTControlCharacters(printed);
  });
}

afterEach(() => jest.restoreAllMocks());

const shows = reviewed(__filename);

describe('aks-wi access', () => {
  shows('shows who could read what by the settings', () => run('--stack', 'dev'));
  shows('shows it to scripts', () => run('--stack', 'dev', '--json'));

  it('shows who can read what by what is deployed', async () => {
    const outputs = twoClusters();
    jest.mocked(readStackOutputs).mockResolvedValue(outputs);
    const [first] = outputs.workloads;
    expect(await run('--stack', 'dev', '--deployed')).toContain(first?.application);
    expect(readStackOutputs).toHaveBeenCalledWith(expect.objectContaining({ name: 'dev' }));
  });

  const sides = ['--diff', '@Pulumi.dev.yaml', '@Pulumi.prod.yaml'];
  shows('compares a stack file with another', () => run(...sides));
  shows('compares them for scripts', () => run(...sides, '--json'));
  shows('compares them for a pull request', () => run(...sides, '--markdown'));

  it('makes a comment no longer than GitHub takes, and names how many changes it leaves out', () => {
    const gained = Array.from({ length: 190 }, (_, index) => ({
      ...{ cluster: 'aks-1', reader: 'orders', vault: 'kv', secret: `s${index}` },
      ...{ serviceAccounts: [], identities: [], because: 'b'.repeat(1000), overreach: false },
    }));
    const none = { before: 'dev', after: 'dev', lost: [], widened: [], narrowed: [] };
    const comment = differenceInMarkdown({ ...none, gained });
    expect(comment).toContain('190 gained.');
    expect(comment.length).toBeLessThan(65_536);
    const shown = comment.match(/\*\*gained\*\*/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(50);
    expect(comment).toContain(`and ${190 - shown} more; \`aks-wi access --diff\` shows all.`);
  });

  const same = ['--diff', '@Pulumi.dev.yaml', '@Pulumi.dev.yaml'];
  shows('says that nothing changes', () => run(...same));
  shows('says so in a comment', () => run(...same, '--markdown'));

  for (const args of [
    [],
    ['--stack', 'nowhere'],
    ['--stack', 'dev', '--markdown'],
    ['--diff', 'dev'],
    ['--diff', 'a', 'b', 'c'],
    ['--stack', 'dev', '--diff', 'a', 'b'],
    ['--svg', 'x.svg', '--diff', 'a', 'b'],
    ['--diff', 'a', 'b', '--json', '--markdown'],
    ['--stack', 'dev', '--svg', '@none/a.svg'],
    ['--diff', '@page.html', 'dev'],
    ['--diff', '@none.json', '@Pulumi.dev.yaml'],
    ['--diff', '@broken.json', '@Pulumi.dev.yaml'],
    ['--diff', '@none.yaml', '@Pulumi.dev.yaml'],
    ['--stack', 'wrong'],
  ])
    shows(`refuses ${args.join(' ')}`.trim(), async () => {
      const refusal = await refusalOf(() => run(...args));
      return refusal.replaceAll(/\/[^ ']*aks-wi-project-\w+/g, '<project>');
    });
});
