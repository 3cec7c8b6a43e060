import type * as PortsModule from '../../../kubernetes/ports';
import { releasePort, reservePort, takePort } from '../../../kubernetes/ports';

// Each test loads the module twice, like two local clouds that do not know each other's ports.
type Ports = typeof PortsModule;
function another(): Ports {
  let ports: Ports | undefined;
  jest.isolateModules(() => {
    ports = jest.requireActual<Ports>('../../../kubernetes/ports');
  });
  if (ports === undefined) throw new Error('the module was not loaded');
  return ports;
}

const blockOf = (port: number) => Math.floor(port / 500);

describe('ports of the local cloud', () => {
  it('are handed out once, until they are released', async () => {
    const taken = await Promise.all(Array.from({ length: 50 }, () => takePort()));

    expect(new Set(taken).size).toBe(50);
    const [port = 0] = taken;
    expect(await reservePort(port)).toBe(false);
    releasePort(port);
    expect(await reservePort(port)).toBe(true);
  });

  it('are never those of another local cloud, even if nothing listens on them yet', async () => {
    const other = another();
    const own = await Promise.all(Array.from({ length: 20 }, () => takePort()));
    const others = await Promise.all(Array.from({ length: 20 }, () => other.takePort()));

    const blocks = new Set(own.map(blockOf));
    expect(others.filter((port) => blocks.has(blockOf(port)))).toEqual([]);
  });
});
