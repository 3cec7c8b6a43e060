import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProcess } from '../../support/command';
import { textOf } from '../../support/pipelineFiles';

// How pipelines get kubelogin, without a network: of the release, nothing is read.

const folder = mkdtempSync(path.join(tmpdir(), 'kubelogin-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('kubelogin', () => {
  it('is not installed from an archive with another checksum', async () => {
    const [programs, installed] = [path.join(folder, 'programs'), path.join(folder, 'installed')];
    for (const place of [programs, installed]) mkdirSync(place);
    // `-o` is its fifth argument.
    writeFileSync(path.join(programs, 'curl'), '#!/bin/sh\necho changed >"$5"\n', { mode: 0o755 });
    writeFileSync(path.join(programs, 'unzip'), `#!/bin/sh\ntouch ${installed}/kubelogin\n`, { mode: 0o755 });
    const env = { PATH: `${programs}:${process.env.PATH ?? ''}` };

    const { code, stdout, stderr } = await runProcess('.ci/kubelogin', [installed], env);

    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/kubelogin-linux-amd64\.zip: FAILED/);
    expect(readdirSync(installed)).toEqual([]);
  });

  it.each(['.github/actions/setup/action.yml', '.azure-pipelines/setup.yml'])(
    'is installed and on the PATH by %s',
    (file) => {
      const text = textOf(file);
      expect(text).toContain('.ci/kubelogin "$HOME/.kubelogin"\n');
      expect(text).toMatch(
        /"\$HOME\/\.kubelogin" >> "\$GITHUB_PATH"|task\.prependpath\]\$HOME\/\.kubelogin"/,
      );
    },
  );
});
