import { currentCloud } from '../../../components/azure/clouds';

describe('the cloud that is deployed to', () => {
  it.each([
    [{}, 'https://management.azure.com', 'core.windows.net'],
    [{ ARM_ENVIRONMENT: 'AzureCloud' }, 'https://management.azure.com', 'core.windows.net'],
    [{ ARM_ENVIRONMENT: '' }, 'https://management.azure.com', 'core.windows.net'],
    [{ ARM_ENVIRONMENT: 'usgovernment' }, 'https://management.usgovcloudapi.net', 'core.usgovcloudapi.net'],
    [{ ARM_ENVIRONMENT: 'AzureChinaCloud' }, 'https://management.chinacloudapi.cn', 'core.chinacloudapi.cn'],
    [{ AZURE_ENVIRONMENT: 'china' }, 'https://management.chinacloudapi.cn', 'core.chinacloudapi.cn'],
  ])('has its resource manager and its storage: %j', (env, resourceManager, storageSuffix) => {
    expect(currentCloud(undefined, env)).toMatchObject({
      resourceManager,
      suffixes: { storage: storageSuffix },
    });
  });

  it('is that of the stack before that of the environment', () => {
    expect(currentCloud('china', { ARM_ENVIRONMENT: 'usgovernment' }).resourceManager).toBe(
      'https://management.chinacloudapi.cn',
    );
  });

  it('is not guessed', () => {
    expect(currentCloud(undefined, { ARM_ENVIRONMENT: 'moon' })).toEqual({
      name: 'moon',
      suffixes: {
        ...{ storage: 'core.windows.net', redis: 'redis.cache.windows.net' },
        serviceBus: 'servicebus.windows.net',
      },
    });
  });
});

describe('the cloud, for the service operator and the Secrets Store', () => {
  it.each([
    [{}, undefined, undefined],
    [{ ARM_ENVIRONMENT: 'public' }, undefined, undefined],
    [{ ARM_ENVIRONMENT: 'AzureCloud' }, undefined, undefined],
    [{ ARM_ENVIRONMENT: 'AzureUSGovernment' }, 'https://login.microsoftonline.us/', 'AzureUSGovernmentCloud'],
    [{ AZURE_ENVIRONMENT: 'AzureChinaCloud' }, 'https://login.chinacloudapi.cn/', 'AzureChinaCloud'],
  ])('is named only where it is not the public one: %j', (env, authority, secretsStore) => {
    const cloud = currentCloud(undefined, env);

    expect(cloud.operator?.authorityHost).toBe(authority);
    expect(cloud.secretsStore).toBe(secretsStore);
    if (cloud.operator !== undefined)
      expect(cloud.operator.resourceManagerEndpoint).toBe(cloud.resourceManager);
  });
});
