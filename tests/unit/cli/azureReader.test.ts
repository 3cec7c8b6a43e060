import { ClientSecretCredential, DefaultAzureCredential } from '@azure/identity';
import { createAzureReader } from '../../../cli/azureReader';
import { createGraphReader, filtered } from '../../../cli/graphReader';
import { cloudOf } from '../../../components/azure/clouds';

const sendRequest = jest.fn();

jest.mock('@azure/identity');
jest.mock('@azure/core-rest-pipeline', () => ({
  ...jest.requireActual<object>('@azure/core-rest-pipeline'),
  createPipelineFromOptions: () => ({ addPolicy: jest.fn(), sendRequest }),
}));

const reader = (cloud = 'public') => createAzureReader(cloudOf(cloud), {});
const graphReader = (cloud = 'public') => createGraphReader(cloudOf(cloud), {});
const answers = (status: number, code: string) =>
  sendRequest.mockResolvedValue({ status, bodyAsText: JSON.stringify({ error: { code, message: 'none' } }) });

describe('what is read from Azure', () => {
  it('is asked of the cloud of the stack', async () => {
    sendRequest.mockResolvedValue({ status: 200, bodyAsText: '{"value":[]}' });
    await reader('china').list('/subscriptions/s/resources', '2021-04-01');

    expect(sendRequest).toHaveBeenCalledWith(
      expect.anything(),
      expect.objectContaining({
        url: 'https://management.chinacloudapi.cn/subscriptions/s/resources?api-version=2021-04-01',
      }),
    );
    expect(ClientSecretCredential).not.toHaveBeenCalled();
    expect(DefaultAzureCredential).toHaveBeenLastCalledWith({
      authorityHost: 'https://login.chinacloudapi.cn/',
    });
    expect(() => reader('moon')).toThrow(
      "The cloud 'moon' (azure-native:environment, ARM_ENVIRONMENT) is unknown.",
    );
  });

  it('is asked of Microsoft Graph of that cloud, if it is in Entra, with all its pages', async () => {
    const graph = 'https://microsoftgraph.chinacloudapi.cn/v1.0/applications';
    const pages = [
      { value: [{ id: 'a', displayName: 'A', tags: ['t'] }], '@odata.nextLink': `${graph}?$skiptoken=x` },
      { value: [{ id: 'b', displayName: 'B', tags: [] }] },
    ];
    sendRequest.mockReset();
    for (const page of pages)
      sendRequest.mockResolvedValueOnce({ status: 200, bodyAsText: JSON.stringify(page) });
    const found = await filtered(graphReader('china'), 'applications', "tags/any(t:t eq 'a/b')");

    expect(found).toEqual(pages.flatMap(({ value }) => value));
    expect(sendRequest.mock.calls.map(([, { url }]: [unknown, { url: string }]) => url)).toEqual([
      `${graph}?$filter=${encodeURIComponent("tags/any(t:t eq 'a/b')")}&$select=id,displayName,tags`,
      `${graph}?$skiptoken=x`,
    ]);
  });

  it('says which right is missing in Entra', async () => {
    answers(403, 'Authorization_RequestDenied');

    await expect(filtered(graphReader(), 'applications', 'x')).rejects.toMatchObject({
      message: 'Azure answered 403 Authorization_RequestDenied to GET /v1.0/applications.',
      hint: expect.stringContaining('Application.Read.All') as unknown,
    });
  });

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
  ])('is not reported as empty where Azure answers %d %s', async (status, code) => {
    answers(status, code);
    const refused = {
      message: `Azure answered ${status} ${code} to GET /subscriptions/typo/resources.`,
      hint: expect.stringMatching(/^Check the subscription/) as unknown,
    };

    await expect(reader().list('/subscriptions/typo/resources', '2021-04-01')).rejects.toMatchObject(refused);
    await expect(reader().get('/subscriptions/typo/resources', '2021-04-01')).rejects.toMatchObject(refused);
  });
});
