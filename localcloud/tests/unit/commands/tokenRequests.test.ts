import { renderTokenRequests } from '../../../commands/tokenRequests';

const time = '2026-01-02T03:04:05.000Z';

describe('the record of token requests', () => {
  it('shows requester, service account, resource and result in columns', () => {
    const text = renderTokenRequests([
      {
        time,
        clientId: 'client-1',
        displayName: 'id-local-aks-1',
        grant: 'federated',
        subject: 'system:serviceaccount:orders:orders',
        resource: 'https://vault.azure.net',
        outcome: 'issued',
        tokenId: 'id-of-a-token',
      },
      {
        time,
        clientId: 'client-2',
        grant: 'secret',
        scope: 'https://management.azure.com/.default',
        outcome: 'refused',
        error: 7000215,
      },
    ]);

    expect(text).toBe(
      [
        `${time}  id-local-aks-1  system:serviceaccount:orders:orders  https://vault.azure.net                issued`,
        `${time}  client-2        by secret                            https://management.azure.com/.default  refused: AADSTS7000215`,
        '',
      ].join('\n'),
    );
  });

  it('says so if there is none', () => {
    expect(renderTokenRequests([])).toBe('No token has been requested yet.\n');
  });
});
