import * as pulumi from '@pulumi/pulumi';
import { operatorCloud, resourceManager, secretsStoreCloud } from '../../../stacks/environment/currentCloud';

const key = 'azure-native:environment';
afterEach(() => {
  pulumi.runtime.setAllConfig({});
});

describe('the resource manager', () => {
  it.each([
    [{}, 'https://management.azure.com'],
    [{ ARM_ENVIRONMENT: 'AzureCloud' }, 'https://management.azure.com'],
    [{ ARM_ENVIRONMENT: '' }, 'https://management.azure.com'],
    [{ ARM_ENVIRONMENT: 'usgovernment' }, 'https://management.usgovcloudapi.net'],
    [{ ARM_ENVIRONMENT: 'AzureChinaCloud' }, 'https://management.chinacloudapi.cn'],
    [{ AZURE_ENVIRONMENT: 'china' }, 'https://management.chinacloudapi.cn'],
  ])('is that of the cloud that is deployed to: %j', (env, endpoint) => {
    expect(resourceManager(env)).toBe(endpoint);
  });

  it('is what the stack says before what the environment says', () => {
    pulumi.runtime.setAllConfig({ [key]: 'china' });

    expect(resourceManager({ ARM_ENVIRONMENT: 'usgovernment' })).toBe('https://management.chinacloudapi.cn');
  });

  it('is not guessed', () => {
    expect(() => resourceManager({ ARM_ENVIRONMENT: 'moon' })).toThrow(
      /is "moon".*Allowed: public, usgovernment, china\./,
    );
  });
});

describe('the cloud of the service operator', () => {
  it.each([
    [{}, undefined],
    [{ ARM_ENVIRONMENT: 'public' }, undefined],
    [{ ARM_ENVIRONMENT: 'AzureUSGovernment' }, 'https://login.microsoftonline.us/'],
    [{ AZURE_ENVIRONMENT: 'china' }, 'https://login.chinacloudapi.cn/'],
  ])('is said only where it is not the public one: %j', (env, authority) => {
    expect(operatorCloud(env)?.authorityHost).toBe(authority);
  });

  it('is asked where the rest of the program asks', () => {
    const env = { ARM_ENVIRONMENT: 'usgovernment' };
    expect(operatorCloud(env)?.resourceManagerEndpoint).toBe(resourceManager(env));
  });
});

describe("the cloud of the Secrets Store's Azure provider", () => {
  it.each([
    [{}, undefined],
    [{ ARM_ENVIRONMENT: 'public' }, undefined],
    [{ ARM_ENVIRONMENT: 'AzureCloud' }, undefined],
    [{ ARM_ENVIRONMENT: 'usgovernment' }, 'AzureUSGovernmentCloud'],
    [{ ARM_ENVIRONMENT: 'AzureUSGovernment' }, 'AzureUSGovernmentCloud'],
    [{ AZURE_ENVIRONMENT: 'AzureChinaCloud' }, 'AzureChinaCloud'],
  ])('is said only where it is not the public one: %j', (env, name) => {
    expect(secretsStoreCloud(env)).toBe(name);
  });

  it('is what the stack says before what the environment says', () => {
    pulumi.runtime.setAllConfig({ [key]: 'china' });

    expect(secretsStoreCloud({ ARM_ENVIRONMENT: 'usgovernment' })).toBe('AzureChinaCloud');
  });
});
