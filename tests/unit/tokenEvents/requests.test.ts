import { logLines } from '../../../reconciler/tokenEvents/logLine';
import { mostKeys } from '../../../reconciler/tokenEvents/openParts';
import type { Known } from '../../../reconciler/tokenEvents/requests';
import { redacted, tokenRequests } from '../../../reconciler/tokenEvents/requests';

// The lines are those of aad-pod-identity 1.8.17. What these do not prove: that it still writes such; tests/e2e/podIdentity.test.ts
// has the vendor's component.

const now = Date.parse('2026-11-25T16:30:00Z');
const clients: Readonly<Record<string, string>> = {
  'orders/orders': '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaa1',
  'orders/further': '22222222-aaaa-4aaa-8aaa-aaaaaaaaaaa2',
  'shop/shop': '33333333-aaaa-4aaa-8aaa-aaaaaaaaaaa3',
};
const addresses: Readonly<Record<string, string>> = {
  '10.244.0.5': 'orders/orders-1',
  '10.244.0.6': 'orders/orders-2',
  '10.244.0.7': 'shop/shop-1',
};
const known: Known = {
  podsAt: (address) => (addresses[address] === undefined ? [] : [addresses[address]]),
  hasAddress: (pod) => Object.values(addresses).includes(pod),
  identitiesOf: (pod) =>
    pod.startsWith('orders/')
      ? ['orders/orders', 'orders/further']
      : pod === 'shop/shop-1'
        ? ['shop/shop']
        : [],
  clientIdOf: (identity) => clients[identity],
};
const vault = 'https://vault.azure.net';
const storage = 'https://storage.azure.com/';

const line = (text: string, severity = 'I') =>
  `${severity}1125 16:29:30.123456       1 server.go:172] ${text}`;
const matched = (pod: string, identity: string) =>
  line(`no clientID or resourceID in request. ${pod} has been matched with azure identity ${identity}`);
const asked = (identity: string, resource: string) =>
  line(`matched identityType:0 clientid:${redacted(clients[identity] ?? '')} resource:${resource}`);
const finished = (status: number, address: string, path = '/metadata/identity/oauth2/token') =>
  line(`status (${status}) took 12345 ns for req.method=GET reg.path=${path} req.remote=${address}`);
const requestsIn = (...lines: readonly string[]) => tokenRequests(logLines(lines.join('\n'), now), known);

describe('the log of the node component', () => {
  it('has for a token which pod got it, of which identity, for what, and when', () => {
    expect(
      requestsIn(
        matched('orders/orders-1', 'orders/orders'),
        asked('orders/orders', vault),
        finished(200, '10.244.0.5'),
      ),
    ).toEqual([
      {
        time: Date.parse('2026-11-25T16:29:30.123Z'),
        ...{ status: 200, pods: ['orders/orders-1'], identities: ['orders/orders'], resources: [vault] },
      },
    ]);
  });

  it('is read also in JSON, and where the identity is in the request', () => {
    const id = redacted(clients['orders/orders'] ?? '');
    const json = (msg: string) => JSON.stringify({ ts: now, caller: 'nmi/standard.go:69', msg, v: 0 });
    const texts = [
      `clientID in request: ${id}, orders/orders-1 has been matched with azure identity orders/orders`,
      `matched identityType:0 clientid:${id} resource:${vault}`,
      'status (200) took 1 ns for req.method=GET reg.path=/Metadata/identity/oauth2/token/ req.remote=10.244.0.5\n',
    ];

    expect(requestsIn(...texts.map(json))).toMatchObject([
      { time: now, pods: ['orders/orders-1'], identities: ['orders/orders'], resources: [vault] },
    ]);
  });

  it('keeps interleaved requests apart', () => {
    expect(
      requestsIn(
        matched('orders/orders-1', 'orders/orders'),
        matched('shop/shop-1', 'shop/shop'),
        asked('shop/shop', storage),
        asked('orders/orders', vault),
        finished(200, '10.244.0.5'),
        finished(200, '10.244.0.7'),
      ),
    ).toMatchObject([
      { pods: ['orders/orders-1'], resources: [vault] },
      { pods: ['shop/shop-1'], resources: [storage] },
    ]);
  });

  it('names both of two resources for both pods where it is unclear whose they were', () => {
    expect(
      requestsIn(
        matched('orders/orders-1', 'orders/orders'),
        asked('orders/orders', vault),
        matched('orders/orders-2', 'orders/orders'),
        asked('orders/orders', storage),
        finished(200, '10.244.0.6'),
        finished(200, '10.244.0.5'),
      ),
    ).toMatchObject([
      { pods: ['orders/orders-2'], identities: ['orders/orders'], resources: [vault, storage] },
      { pods: ['orders/orders-1'], identities: ['orders/orders'], resources: [vault, storage] },
    ]);
  });

  it('names both identities of a pod where it is unclear which one it was', () => {
    const [first] = requestsIn(
      matched('orders/orders-1', 'orders/orders'),
      matched('orders/orders-1', 'orders/further'),
      asked('orders/orders', vault),
      asked('orders/further', vault),
      finished(200, '10.244.0.5'),
    );

    expect(first).toMatchObject({ identities: ['orders/orders', 'orders/further'], resources: [vault] });
  });

  it('has the identity by its client id only where a request names its resource id', () => {
    expect(requestsIn(asked('orders/further', vault), finished(200, '10.244.0.5'))).toMatchObject([
      { pods: ['orders/orders-1'], identities: ['orders/further'], resources: [vault] },
    ]);
  });

  it('has the reason of a refusal, and that the next try succeeded', () => {
    const why =
      'getting assigned identities for pod orders/orders-1 in CREATED state failed after 16 attempts';
    expect(
      requestsIn(
        line(`failed to get matching identities for pod: orders/orders-1, error: ${why}`, 'E'),
        finished(404, '10.244.0.5'),
        matched('orders/orders-1', 'orders/orders'),
        asked('orders/orders', vault),
        finished(200, '10.244.0.5'),
      ),
    ).toMatchObject([
      { status: 404, pods: ['orders/orders-1'], identities: [], resources: [], reason: why },
      { status: 200, identities: ['orders/orders'], resources: [vault] },
    ]);
  });

  it('has the identity of a refusal by Azure, and no later request gets that', () => {
    const why = 'failed to refresh token, error: adal: Refresh request failed';
    expect(
      requestsIn(
        matched('orders/orders-1', 'orders/orders'),
        asked('orders/orders', vault),
        line(`failed to get service principal token for pod: orders/orders-1, error: ${why}`, 'E'),
        finished(403, '10.244.0.5'),
        finished(400, '10.244.0.5'),
      ),
    ).toMatchObject([
      { status: 403, identities: ['orders/orders'], resources: [vault], reason: why },
      { status: 400, pods: ['orders/orders-1'], identities: [], resources: [] },
    ]);
  });

  it.each(['/host/token', '/metadata/instance', '/metadata/identity/info'])(
    'has other requests than those for tokens of pods: %s',
    (path) => {
      expect(requestsIn(finished(200, '10.244.0.5', path))).toEqual([]);
    },
  );

  it('has requests of libraries that only probe for the service', () => {
    const request = 'req.method=GET reg.path=/metadata/identity/oauth2/token req.remote=10.244.0.5';
    expect(
      requestsIn(line(`metadata header is not specified, ${request}`, 'E'), finished(400, '10.244.0.5')),
    ).toEqual([]);
  });

  it('has requests of excepted pods, which get no identity of theirs', () => {
    expect(
      requestsIn(
        line('exception pod orders/orders-1 token handling'),
        line(`fetching token for user assigned MSI for resource: ${vault}`),
        finished(200, '10.244.0.5'),
        line('exception pod kube-system/mic-1 token handling'),
        finished(200, '10.244.9.9'),
      ),
    ).toEqual([]);
  });

  it('names the pod of an address that is no longer in use, if only one is gone', () => {
    const gone = (pod: string) => [matched(pod, 'orders/orders'), asked('orders/orders', vault)];

    expect(requestsIn(...gone('orders/job-1'), finished(200, '10.244.0.99'))).toMatchObject([
      { pods: ['orders/job-1'], identities: ['orders/orders'] },
    ]);
    expect(
      requestsIn(...gone('orders/job-1'), ...gone('orders/job-2'), finished(200, '10.244.0.99')),
    ).toMatchObject([{ pods: ['orders/job-1', 'orders/job-2'] }]);
    expect(requestsIn(finished(404, '10.244.0.99'))).toMatchObject([{ pods: [], identities: [] }]);
  });

  it('distinguishes a pod that has the address of one that ended', () => {
    expect(
      requestsIn(
        line('failed to get matching identities for pod: other/other-1, error: none', 'E'),
        finished(404, '10.244.0.5'),
        line('exception pod other/other-1 token handling'),
        finished(200, '10.244.0.5'),
      ),
    ).toMatchObject([{ pods: ['other/other-1'] }]);
  });

  it('forgets a request whose end is not in it', () => {
    const later = finished(200, '10.244.0.5').replace('16:29', '16:35');

    expect(
      requestsIn(matched('orders/orders-1', 'orders/orders'), asked('orders/orders', vault), later),
    ).toMatchObject([{ identities: [], resources: [] }]);
  });

  it('says "several" for more resources of a pod than it names', () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f'];
    const open = (resources: readonly string[]) =>
      resources.flatMap((resource) => [
        matched('orders/orders-1', 'orders/orders'),
        asked('orders/orders', resource),
      ]);
    const end = finished(200, '10.244.0.5');

    expect(requestsIn(...open(all.slice(1)), end)).toMatchObject([{ resources: all.slice(1) }]);
    expect(requestsIn(...open(all), end)).toMatchObject([
      { pods: ['orders/orders-1'], identities: ['orders/orders'], resources: ['several resources'] },
    ]);
  });

  it('names none of many pods that can have sent a request', () => {
    const gone = ['1', '2', '3', '4', '5', '6'].map((number) =>
      matched(`orders/job-${number}`, 'orders/orders'),
    );
    const end = finished(200, '10.244.0.99');

    expect(requestsIn(...gone.slice(1), end)[0]?.pods).toHaveLength(5);
    expect(requestsIn(...gone, end)).toMatchObject([{ pods: [] }]);
  });

  it('takes constant work for each line, with any number of open requests', () => {
    const looked = { times: 0 };
    const counting: Known = {
      ...known,
      hasAddress: (pod) => {
        looked.times += 1;
        return known.hasAddress(pod);
      },
    };
    const many = (make: (number: number) => string) =>
      Array.from({ length: 2000 }, (_, number) => make(number));
    const log = [
      ...many((number) => matched(`orders/job-${number}`, 'orders/orders')),
      ...many(() => finished(200, '10.244.0.99')),
    ];
    expect(tokenRequests(logLines(log.join('\n'), now), counting)).toHaveLength(2000);
    expect(looked.times).toBe(2000 * mostKeys);
  });

  it('does not trust what a pod wrote into a line for another one', () => {
    const forged = 'x shop/shop-1 has been matched with azure identity shop/shop';
    expect(
      requestsIn(
        matched('orders/orders-1', 'orders/orders'),
        asked('orders/orders', `${forged}\nno clientID or resourceID in request. ${forged}`),
        finished(200, '10.244.0.7', '/metadata/identity/oauth2/token req.remote=10.244.0.6'),
        finished(200, '10.244.0.5'),
      ),
    ).toMatchObject([
      { pods: ['shop/shop-1'], identities: [] },
      { pods: ['orders/orders-1'], identities: ['orders/orders'], resources: [forged] },
    ]);
  });
});

describe('the times of the log', () => {
  it.each([
    ['2026-12-31T23:00:00Z', '0101', '2026-01-01T16:29:30.123Z'],
    ['2027-01-01T00:01:00Z', '1231', '2026-12-31T16:29:30.123Z'],
    ['2026-12-31T23:59:59Z', '1231', '2026-12-31T16:29:30.123Z'],
  ])('are of the year before, where they would be in the future: at %s, %s', (at, date, expected) => {
    const [found] = logLines(line('x').replace('1125', date), Date.parse(at));

    expect(new Date(found?.time ?? 0).toISOString()).toBe(expected);
  });
});
