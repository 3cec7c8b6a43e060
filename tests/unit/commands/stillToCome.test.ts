import { restProgress, stillToCome } from '../../../localcloud/commands/stillToCome';
import type { Tool, ToolchainEvent } from '../../../localcloud/toolchain';

const event = (tool: Tool, phase: ToolchainEvent['phase'], seconds = 0, detail?: string): ToolchainEvent => ({
  tool,
  phase,
  seconds,
  ...(detail !== undefined && { detail }),
});

describe('what `up` says of tools that are built last', () => {
  const steps = (...events: ToolchainEvent[]) => ({
    progressOf: (tool: Tool) => events.find((step) => step.tool === tool),
  });

  it.each([
    ['nothing was asked for', steps()],
    ['all of it is there', steps(event('azure-service-operator', 'ready'))],
    ['only what the deployment waits for is missing', steps(event('helm', 'compiling'))],
  ])('nothing, where %s', (_when, toolchain) => {
    expect(stillToCome(toolchain)).toBeUndefined();
  });

  it('names those that are missing, and that the rest does not wait', () => {
    const text = stillToCome(
      steps(event('azure-service-operator', 'queued'), event('secrets-store-csi-driver', 'ready')),
    );
    expect(text).toMatch(/: azure-service-operator\. What needs one of them waits for it\.$/);
  });

  it('writes a line for each phase, one a minute in between, and one when it is there', () => {
    const lines: string[] = [];
    const listen = restProgress((line) => lines.push(line));
    const operator = 'azure-service-operator';

    listen(event('helm', 'compiling', 1));
    listen(event(operator, 'queued', 1));
    listen(event(operator, 'compiling', 2, '1 packages'));
    listen(event(operator, 'compiling', 30, '90 packages'));
    listen(event(operator, 'compiling', 62, '200 packages'));
    listen(event(operator, 'ready', 400));
    listen(event('secrets-store-csi-driver', 'ready', 401));

    expect(lines).toEqual([
      'toolchain: azure-service-operator: queued',
      'toolchain: azure-service-operator: compiling, 1 packages',
      'toolchain: azure-service-operator: compiling, 200 packages',
      'toolchain: azure-service-operator: ready',
    ]);
  });
});
