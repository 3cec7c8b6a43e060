import { VisibleError } from './visibleError';

/** Minimum version of Node, as in package.json's `engines`. */
const leastNode = [20, 19] as const;

/** Refuses machines on which the local cloud cannot run. */
export function checkRequirements(
  node: string = process.versions.node,
  platform: string = process.platform,
): void {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])) {
    throw new VisibleError(
      `Node ${node} is too old: ${leastNode.join('.')} or newer is needed.`,
      'Install a current Node (https://nodejs.org) and run the command again.',
    );
  }
  if (platform !== 'linux') {
    throw new VisibleError(
      `The local cloud runs on Linux only, and this is ${platform}.`,
      'Run it in a Linux virtual machine or container, on Windows in WSL2. `verify` works everywhere.',
    );
  }
}
