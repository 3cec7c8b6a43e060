import * as pulumi from '@pulumi/pulumi';
import { resourceManager } from '../../../stacks/environment/resourceManager';

describe('the resource manager', () => {
  const key = 'azure-native:environment';
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
  });

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
