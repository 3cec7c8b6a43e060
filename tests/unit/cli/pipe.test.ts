import path from 'node:path';
import { projectRoot, runProcess } from '../../support/command';
import { stackText, withProject } from './projectFolder';

/** A pipe takes 64 KiB at once; its reader begins when the command has long written the rest. */
const script = '"$0" "$@" | { sleep 2; cat; }';

describe('output into a pipe', () => {
  it('is whole, however late its reader is', async () => {
    const secrets = Array.from({ length: 450 }, (_, index) => `${'s'.repeat(120)}${index}`).join(', ');
    const applications = Array.from(
      { length: 20 },
      (_, index) =>
        `{ name: app-${index}, image: ghcr.io/example/app:1.0.0, identity: application, secrets: [${secrets}] }`,
    );

    const { code, stdout, stderr } = await withProject(
      { 'Pulumi.dev.yaml': stackText('dev', applications.join(', ')) },
      (cwd) => {
        const command = [process.execPath, path.join(projectRoot, 'cli', 'bin.mjs'), 'validate', '--json'];
        return runProcess('bash', ['-o', 'pipefail', '-c', script, ...command], {}, { cwd });
      },
    );

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.length).toBeGreaterThan(2 ** 20);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, stacks: [{ stack: 'dev' }] });
  });
});
