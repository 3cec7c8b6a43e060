import type { Tool, Toolchain, ToolchainEvent } from '../toolchain';

/** Tools that nothing waits for but their own pods; the deployment goes on without them. */
const late: readonly Tool[] = [
  'secrets-store-csi-driver',
  'secrets-store-provider-azure',
  'azure-service-operator',
];

/** Between lines about one tool that is in the same phase (seconds). */
const repeatSeconds = 60;

/** What is built while the stack is deployed, as one line; undefined where everything is there. */
export function stillToCome(toolchain: Pick<Toolchain, 'progressOf'>): string | undefined {
  const tools = late.filter((tool) => {
    const step = toolchain.progressOf(tool);
    return step !== undefined && step.phase !== 'ready';
  });
  if (tools.length === 0) return undefined;
  return `Still to come, built once in the background (azure-service-operator takes some minutes): ${tools.join(', ')}. What needs one of them waits for it.`;
}

/** Lines about those tools: one for each phase, one a minute in between, one when a tool is there. */
export function restProgress(write: (line: string) => void): (event: ToolchainEvent) => void {
  const last = new Map<Tool, ToolchainEvent>();
  return (event) => {
    const { tool, phase, seconds, detail } = event;
    if (!late.includes(tool)) return;
    const before = last.get(tool);
    if (before?.phase === phase && seconds - before.seconds < repeatSeconds) return;
    // What was built before is no news.
    if (before === undefined && phase === 'ready') return;
    last.set(tool, event);
    write(`toolchain: ${tool}: ${phase}${detail === undefined ? '' : `, ${detail}`}`);
  };
}
