/** Returns an example for the end of a command's help. @param args arguments of `aks-wi` */
export const example = (args: string): string => `\nExample:\n  npx aks-wi ${args}`;
