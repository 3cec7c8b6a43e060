import { projectRoot, runProcess } from '../../support/command';

/** The title of a table and a text, with these variables; the output is not a terminal. */
async function table(variables: Record<string, string>): Promise<string> {
  const script = `
    for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE']) delete process.env[name];
    Object.assign(process.env, ${JSON.stringify(variables)});
    const { setColors } = await import('${projectRoot}/cli/colors.mjs');
    setColors(process.env);
    const { build } = await import('${projectRoot}/node_modules/esbuild/lib/main.js');
    const contents = "import { fittedTable } from './cli/fittedTable'; console.log(JSON.stringify(fittedTable(['title'], [['text']], [], 80)))";
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: '${projectRoot}' },
      ...{ bundle: true, platform: 'node', format: 'cjs', write: false },
    });
    const { createRequire } = await import('node:module');
    new Function('require', '__dirname', outputFiles[0].text)(createRequire('${projectRoot}/'), '${projectRoot}');`;
  const { stdout, stderr } = await runProcess(process.execPath, ['--input-type=module', '-e', script]);
  return stdout === '' ? stderr : (JSON.parse(stdout) as string);
}

/** Tells whether picocolors colors the output, which is not a terminal, with these variables. */
async function isColored(variables: Record<string, string>): Promise<string> {
  const script = `
    const unset = ['CI', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE'];
    for (const name of unset) delete process.env[name];
    Object.assign(process.env, ${JSON.stringify(variables)});
    import('./cli/colors.mjs').then(({ setColors }) => {
      setColors(process.env);
      console.log(String(require('picocolors').isColorSupported));
    });`;
  return (await runProcess(process.execPath, ['-e', script])).stdout.trim();
}

it.each([
  [{}, 'false'],
  [{ FORCE_COLOR: '1' }, 'true'],
  [{ FORCE_COLOR: '0' }, 'false'],
  [{ FORCE_COLOR: '' }, 'false'],
  [{ FORCE_COLOR: '', CLICOLOR_FORCE: '1' }, 'true'],
  [{ CI: 'true', FORCE_COLOR: '', CLICOLOR: '0' }, 'false'],
  [{ FORCE_COLOR: 'false', CI: 'true' }, 'false'],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, 'false'],
  [{ CI: 'true' }, 'true'],
  [{ CI: 'true', NO_COLOR: '1' }, 'false'],
  [{ CI: 'true', NO_COLOR: '' }, 'true'],
  [{ CI: 'true', CLICOLOR: '0' }, 'false'],
  [{ CI: 'true', CLICOLOR: '1' }, 'true'],
  [{ CLICOLOR_FORCE: '1' }, 'true'],
  [{ CLICOLOR_FORCE: '0' }, 'false'],
  [{ CLICOLOR: '0', CLICOLOR_FORCE: '1' }, 'true'],
  [{ NO_COLOR: '1', CLICOLOR_FORCE: '1' }, 'false'],
  [{ FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, 'false'],
])('colors with %j: %s', async (variables, expected) => {
  expect(await isColored(variables)).toBe(expected);
});

it.each([
  [{}, false],
  [{ NO_COLOR: '1', CI: 'true' }, false],
  [{ FORCE_COLOR: '0', CI: 'true' }, false],
  [{ FORCE_COLOR: '1' }, true],
  [{ CI: 'true' }, true],
])('the titles of tables are bold if texts have colors, with %j: %s', async (variables, isBold) => {
  const drawn = await table(variables);
  expect(drawn).toContain('title');
  expect(drawn.includes('\u001b[1mtitle\u001b[22m')).toBe(isBold);
  expect(drawn.includes('\u001b')).toBe(isBold);
});
