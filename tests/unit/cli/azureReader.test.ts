import { createAzureReader } from '../../../cli/azureReader';

const sendRequest = jest.fn();

jest.mock('@azure/identity');
jest.mock('@azure/core-rest-pipeline', () => ({
  ...jest.requireActual<object>('@azure/core-rest-pipeline'),
  createPipelineFromOptions: () => ({ addPolicy: jest.fn(), sendRequest }),
}));

const reader = () => createAzureReader({});
const answers = (status: number, code: string) =>
  sendRequest.mockResolvedValue({ status, bodyAsText: JSON.stringify({ error: { code, message: 'none' } }) });

describe('what is read from Azure', () => {
  it.each(['ResourceNotFound', 'ResourceGroupNotFound', 'ParentResourceNotFound'])(
    'is nothing where Azure has none (%s)',
    async (code) => {
      answers(404, code);

      expect(await reader().get('/subscriptions/s/resourceGroups/rg', '2021-04-01')).toBeUndefined();
      expect(await reader().list('/subscriptions/s/resources', '2021-04-01')).toEqual([]);
    },
  );

  it.each([
    [404, 'SubscriptionNotFound'],
    [400, 'InvalidSubscriptionId'],
    [403, 'AuthorizationFailed'],
  ])('is not said to be nothing where Azure answers %d %s', async (status, code) => {
    answers(status, code);
    const refused = {
      message: `Azure answered ${status} ${code} to GET /subscriptions/typo/resources.`,
      remedy: expect.stringMatching(/^Check the subscription/) as unknown,
    };

    await expect(reader().list('/subscriptions/typo/resources', '2021-04-01')).rejects.toMatchObject(refused);
    await expect(reader().get('/subscriptions/typo/resources', '2021-04-01')).rejects.toMatchObject(refused);
  });
});
