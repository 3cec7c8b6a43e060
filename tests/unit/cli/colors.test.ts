import { runProcess } from '../../support/command';

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
