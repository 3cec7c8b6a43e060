import { Subscriptions } from '../../../stacks/subscriptions';
import { record } from '../components/support/recorder';

const subscription = '33333333-3333-4333-8333-333333333333';

describe('the provider of a subscription', () => {
  it('is of the cloud of the deployment, wherever that is set', async () => {
    const { registrations } = await record(() =>
      new Subscriptions('AzureUSGovernment').provider(subscription),
    );

    expect(registrations).toMatchObject([
      {
        type: 'pulumi:providers:azure-native',
        name: `subscription-${subscription}`,
        inputs: { subscriptionId: subscription, environment: 'AzureUSGovernment' },
      },
    ]);
  });
});
