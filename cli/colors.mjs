/**
 * Translates the usual variables for colors into the two that picocolors knows, NO_COLOR and FORCE_COLOR, for this process and
 * the programs that it starts. NO_COLOR (https://no-color.org) takes precedence; then FORCE_COLOR, of which 0 and false mean no
 * colors (https://force-color.org, Node); then CLICOLOR_FORCE and CLICOLOR (https://bixense.com/clicolors).
 */
export function setColors(env) {
  const { NO_COLOR, CLICOLOR_FORCE = '0', CLICOLOR } = env;
  const FORCE_COLOR = env.FORCE_COLOR || undefined;
  const forced = FORCE_COLOR === undefined ? CLICOLOR_FORCE !== '0' : !/^(0|false)$/i.test(FORCE_COLOR);
  const isOff = FORCE_COLOR !== undefined || CLICOLOR === '0';
  if (NO_COLOR || (!forced && isOff)) {
    env.NO_COLOR = '1';
    // Node warns if both are set.
    delete env.FORCE_COLOR;
  } else if (forced) {
    env.FORCE_COLOR ||= '1';
  }
}
