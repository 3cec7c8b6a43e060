/** Returns the arguments with which Node runs this command again, with other arguments. */
export const ownCommand = (...args: readonly string[]): string[] => [process.argv[1] ?? '', ...args];
