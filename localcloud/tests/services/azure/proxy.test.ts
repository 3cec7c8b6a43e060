import { Socket } from 'node:net';
import { withCloud } from '../../support/azure';

describe('the proxy', () => {
  const cloud = withCloud();

  it('sends what follows at once, without waiting for an acknowledgement of what it sent before', async () => {
    const setNoDelay = jest.spyOn(Socket.prototype, 'setNoDelay');
    await cloud.resources().resourceGroups.createOrUpdate('rg', { location: 'westeurope' });

    const toServer = setNoDelay.mock.contexts.filter(
      (socket) => socket instanceof Socket && socket.remotePort === cloud.azure.azurePort,
    );
    expect(toServer).not.toEqual([]);
    setNoDelay.mockRestore();
  });
});
