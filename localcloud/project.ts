/** The project's name in Pulumi.yaml, which is also its configuration namespace, and the name of its cache. */
export const PROJECT = 'aks-workload-identity';

/** The program of the project's command. */
export const PROGRAM = 'aks-wi';

/** How messages name the project's command. */
export const COMMAND = `npx ${PROGRAM}`;

/** A command line of the project, as messages quote it. */
export const commandLine = (args: string): string => `\`${COMMAND} ${args}\``;
