import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { completionScript, type Shell } from '../../../cli/completion/scripts';
import { placesIn } from '../../../cli/completion/words';
import { projectRoot } from '../../support/command';
import { wholeProgram } from './wholeProgram';
import { withProject } from './projectFolder';

const files = { 'Pulumi.dev.yaml': '', 'Pulumi.prod.yaml': '', 'Pulumi.$(echo bad >&2).yaml': '' };

/** Scripts that print what each shell would offer for the words, of which the last is not complete. */
const offers: Readonly<Record<Shell, (words: readonly string[]) => string>> = {
  bash: (words) =>
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _aks_wi; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The functions of zsh's completion, which only work at a prompt.
  zsh: (words) => `
    compadd() { [ "$1" = -a ] && print -l -- \${(P)2} || print -l -- "$@" }
    _describe() { print -l -- \${(P)2} }
    _files() { print -l -- * }
    words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _aks_wi`,
  fish: (words) => `complete -C '${words.join(' ')}'`,
};

async function offered(shell: Shell, line: string): Promise<string[]> {
  const script = completionScript(shell, placesIn(await wholeProgram()));
  const words = line.split(' ');
  const setUp = shell === 'zsh' ? 'compdef() { : }\n' : '';
  const text = `${setUp}${script}\n${offers[shell](words)}\n`;
  return withProject({ ...files, script: text }, (cwd) => {
    const options = { cwd, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: cwd } } as const;
    const { stdout, stderr, status } = spawnSync(shell, ['script'], options);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    // Zsh and fish also show the description.
    return stdout.split('\n').flatMap((text) => text.split(/[:\t]/)[0] || []);
  });
}

const isInstalled = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0;

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  // Bash is on every machine that runs the tests; the others are tested where they are installed.
  const describeHere = shell === 'bash' || isInstalled(shell) ? describe : describe.skip;
  describeHere(`the completion for ${shell}`, () => {
    it.each([
      ['commands', 'aks-wi ', ['verify', 'cloud', 'completion'], ['start', '--stack']],
      ['commands of a group', 'aks-wi cloud ', ['start', 'status'], ['verify', 'github']],
      ['commands of a group in a group', 'aks-wi fleet render ', ['github', 'pko'], ['plan', 'start']],
      ['options of a command', 'aks-wi verify --', ['--stack', '--json'], ['--parallel', 'start']],
      [
        'options after a value',
        'aks-wi verify --stack cloud --',
        ['--json', '--timeout'],
        ['--times', 'start'],
      ],
      ['stacks', 'aks-wi verify --stack ', ['dev', 'prod'], ['$(echo bad >&2)', '--json']],
      ['values from a list', 'aks-wi access --fail-on ', ['gained', 'widened'], ['--json']],
      ['files', 'aks-wi validate --file P', ['Pulumi.dev.yaml', 'Pulumi.prod.yaml'], ['--json']],
      ['arguments', 'aks-wi completion ', ['bash', 'fish'], ['start']],
      ['nothing for a free value', 'aks-wi verify --timeout ', [], ['--json', 'dev']],
    ])('offers %s', async (_, line, expected, others) => {
      const words = await offered(shell, line);
      expect(words).toEqual(expected.length === 0 ? [] : expect.arrayContaining(expected));
      // Zsh shows only those that are names of stacks, and quotes what it inserts.
      const wrong = shell === 'bash' ? others : others.filter((word) => !word.startsWith('$('));
      expect(words.filter((word) => wrong.includes(word))).toEqual([]);
    });
  });
}

/** Lines that the documentation gives for the file that a shell reads at its start. */
function documentedLines(language: 'bash' | 'fish'): string {
  const page = readFileSync(path.join(projectRoot, 'docs', 'commands.md'), 'utf8');
  const [, section = ''] = page.split('\n## Completion\n');
  const [, lines = ''] = section.split(`\`\`\`${language}\n`);
  return lines.split('```')[0] ?? '';
}

it.each([
  ['bash', 'bash'],
  ['zsh', 'bash'],
  ['fish', 'fish'],
] as const)('the script for %s begins with the documented lines', async (shell, language) => {
  const script = completionScript(shell, placesIn(await wholeProgram()));
  const commented = documentedLines(language).trim().replace(/^/gm, '#   ');
  expect(commented).toContain('--no -- aks-wi');
  expect(script).toContain(`:\n${commented}\n`);
});

(isInstalled('zsh') ? it : it.skip)('zsh completes at a prompt, with the documented lines', async () => {
  const script = completionScript('zsh', placesIn(await wholeProgram()));
  const terminal = `
    zmodload zsh/zpty
    zpty prompt zsh -d -i
    zpty -r prompt started '*ready> *'
    zpty -wn prompt $'aks-wi verify --stack pr\t'
    zpty -r prompt line '*prod *'
    print -r -- $line`;
  await withProject(
    {
      ...files,
      terminal,
      '.aks-wi-completion': script,
      '.zshrc': `PROMPT='ready> '\nautoload -Uz compinit && compinit -u\n${documentedLines('bash')}`,
    },
    (cwd) => {
      const { stdout, stderr, status } = spawnSync('zsh', ['-f', 'terminal'], {
        ...{ cwd, encoding: 'utf8', timeout: 20_000 },
        env: { PATH: process.env.PATH, HOME: cwd, TERM: 'dumb' },
      });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      expect(stdout).toContain('aks-wi verify --stack prod ');
    },
  );
});
