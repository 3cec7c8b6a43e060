import { tokenProxyName } from '../../../kubernetes/tokenProxy';

describe('the name of a token proxy', () => {
  it.each([
    [
      '0f1e2d3c-4b5a-4697-8877-665544332211',
      'ao7u18jhv2a18c1vt9hppvbtpe46cskrefifol7ckscg653b8tkmg.ests.aks',
    ],
    // With a zero as its first digit, which must stay.
    ['cluster-52', 'a0bnhm8mq16as28p0bntbko2577pnboqh0i2u8prgsn93jbjt4vk0.ests.aks'],
  ])('is the one that the Secrets Store provider derives from %s', (clusterId, name) => {
    expect(tokenProxyName(clusterId)).toBe(name);
  });
});
