import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { accessCommand } from '../../../cli/access/command';
import { differenceInMarkdown } from '../../../cli/access/markdown';
import { readStackOutputs } from '../../../cli/stackOutputs';
import { twoClusters } from '../verification/outputs.fixture';
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
    let printed = '';
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    const inFolder = args.map((arg) => arg.replace('@', `${folder}/`));
    await accessCommand().exitOverride().parseAsync(inFolder, { from: 'user' });
    return printed;
  });
}

afterEach(() => jest.restoreAllMocks());

describe('aks-wi access', () => {
  it('shows who could read what by the settings', async () => {
    expect(await run('--stack', 'dev')).toMatch(
      /aks-1 +│ orders +│ orders\/orders +│ id-dev-aks-1 +│ kv-dev\/orders-db +│ granted/,
    );
    expect(JSON.parse(await run('--stack', 'dev', '--json'))).toMatchObject({
      environment: 'dev',
      entries: [{ reader: 'orders', vault: 'kv-dev', secret: 'orders-db', overreach: false }],
    });
  });

  it('shows who can read what by what is deployed', async () => {
    const outputs = twoClusters();
    jest.mocked(readStackOutputs).mockResolvedValue(outputs);
    const [first] = outputs.workloads;
    expect(await run('--stack', 'dev', '--deployed')).toContain(first?.application);
    expect(readStackOutputs).toHaveBeenCalledWith(expect.objectContaining({ name: 'dev' }));
  });

  it('compares a stack file with another, for people, for scripts and for a pull request', async () => {
    const sides = ['--diff', '@Pulumi.dev.yaml', '@Pulumi.prod.yaml'];
    const text = await run(...sides);
    expect(text).toMatch(/\+ gained +│ aks-1\/orders +│ kv-prod\/pay-ment +│ granted/);
    expect(text).toMatch(/- lost +│ aks-1\/orders +│ kv-dev\/orders-db/);
    expect(JSON.parse(await run(...sides, '--json'))).toMatchObject({
      gained: [{ secret: 'orders-db' }, { secret: 'pay-ment' }],
      lost: [{ secret: 'orders-db' }],
    });
    const comment = await run(...sides, '--markdown');
    expect(comment).toMatch(
      /^<!-- aks-wi access prod -->\n### Who can read what: prod\n\n2 gained, 1 lost\.\n/,
    );
    expect(comment).toContain('| **gained** | aks-1/orders | kv-prod/pay-ment | granted |');
  });

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

  it('says that nothing changes', async () => {
    const same = ['--diff', '@Pulumi.dev.yaml', '@Pulumi.dev.yaml'];
    expect(await run(...same)).toBe('Everybody can read what they could before, and nothing else.\n');
    expect(await run(...same, '--markdown')).toContain('Nothing changes');
  });

  it.each([
    [[], /not said whose access/],
    [['--stack', 'nowhere'], /There is no Pulumi\.nowhere\.yaml in this project\. Its stacks: dev, prod/],
    [['--stack', 'dev', '--markdown'], /--markdown is for comparisons/],
    [['--diff', 'dev'], /--diff compares two; it has dev\./],
    [['--diff', 'a', 'b', 'c'], /--diff compares two; it has a, b, c\./],
    [
      ['--stack', 'dev', '--diff', 'a', 'b'],
      /--diff <sides...>' cannot be used with option '--stack <name>'/,
    ],
    [['--svg', 'x.svg', '--diff', 'a', 'b'], /cannot be used with option '--svg <file>'/],
    [['--diff', 'a', 'b', '--json', '--markdown'], /'--markdown' cannot be used with option '--json'/],
    [['--stack', 'dev', '--svg', '@none/a.svg'], /none\/a\.svg cannot be written: ENOENT/],
    [['--diff', '@page.html', 'dev'], /page\.html does not say who can read what/],
    [['--diff', '@none.json', '@Pulumi.dev.yaml'], /There is no file none\.json/],
    [['--diff', '@broken.json', '@Pulumi.dev.yaml'], /broken\.json does not say who can read what/],
    [['--diff', '@none.yaml', '@Pulumi.dev.yaml'], /There is no file none\.yaml/],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });

  it('prints what is wrong with a stack file', async () => {
    const wrong = stackText('dev', orders('UPPER CASE'));
    await withProject({ 'Pulumi.dev.yaml': wrong }, async (folder) => {
      jest.spyOn(process, 'cwd').mockReturnValue(folder);
      const parsed = accessCommand().parseAsync(['--stack', 'dev'], { from: 'user' });
      await expect(parsed).rejects.toThrow(/Pulumi\.dev\.yaml is not valid\.\n.*UPPER CASE/);
    });
  });
});
