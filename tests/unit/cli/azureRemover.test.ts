import { createAzureRemover } from '../../../cli/azureRemover';
import { cloudOf } from '../../../components/azure/clouds';

const sendRequest = jest.fn();

jest.mock('@azure/identity');
jest.mock('@azure/core-rest-pipeline', () => ({
  ...jest.requireActual<object>('@azure/core-rest-pipeline'),
  createPipelineFromOptions: () => ({ addPolicy: jest.fn(), sendRequest }),
}));

const answers = (status: number, code = 'None') =>
  sendRequest.mockResolvedValue({ status, bodyAsText: JSON.stringify({ error: { code, message: 'none' } }) });
const remover = () => createAzureRemover(cloudOf('public'), {});

describe('what is removed from Azure', () => {
  it.each([200, 204, 404])('is deleted, or gone already: %s', async (status) => {
    answers(status);
    await remover().delete('/subscriptions/s/x', '2022-04-01');

    expect(sendRequest).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({
        method: 'DELETE',
        url: 'https://management.azure.com/subscriptions/s/x?api-version=2022-04-01',
      }),
    );
  });

  it('is a policy as the vault has it', async () => {
    answers(200);
    await remover().removePolicies('/subscriptions/s/vault', [{ objectId: 'p' }]);

    expect(sendRequest).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({
        method: 'PUT',
        url: 'https://management.azure.com/subscriptions/s/vault/accessPolicies/remove?api-version=2026-02-01',
        body: '{"properties":{"accessPolicies":[{"objectId":"p"}]}}',
      }),
    );
  });

  it('is a part of an assignment, through a narrower condition', async () => {
    answers(200);
    await remover().update('/subscriptions/s/x', '2022-04-01', { condition: 'c' });

    expect(sendRequest).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({
        method: 'PUT',
        url: 'https://management.azure.com/subscriptions/s/x?api-version=2022-04-01',
        body: '{"properties":{"condition":"c"}}',
      }),
    );
  });

  it('is not removed if Azure refuses, or if the vault is not there', async () => {
    answers(409, 'ScopeLocked');
    await expect(remover().delete('/subscriptions/s/x', 'v')).rejects.toThrow(
      'Azure answered 409 ScopeLocked to DELETE /subscriptions/s/x.',
    );
    answers(404, 'ResourceNotFound');
    await expect(remover().removePolicies('/subscriptions/s/vault', [])).rejects.toThrow('404');
  });
});
