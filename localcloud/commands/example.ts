import { COMMAND } from '../project';

/** Returns an example for the end of a command's help. @param args arguments of the command */
export const example = (args: string): string => `\nExample:\n  ${COMMAND} ${args}`;
