/**
 * Stacks in one local cloud. One makes a cluster and others use it as an existing one, each with its own
 * resource group, vaults and namespaces.
 *
 * - Vaults with all their settings, through the vendors' clients: Azure has them, a second update changes
 *   nothing, and a lock prevents neither a removal in the same update nor the end. It does not prove network
 *   filtering or name resolution.
 * - Vaults with access policies.
 * - A release that is promoted from one environment to the next.
 * - Updates in the middle of which the engine, the local cloud or an API server is killed.
 *
 * The tests of each are steps of one story and run in order; the stories are independent.
 */
import { localCloud, type Update } from '../support/localCloud';
import { vaultsExample } from './neighbours';
import { killsSuite } from './kills.suite';
import { policiesSuite } from './policies.suite';
import { promoteSuite } from './promote.suite';
import { vaultsEndSuite, vaultsSuite } from './vaults.suite';

jest.setTimeout(10 * 60_000);

const cloud = localCloud('neighbours');
const first: { update?: Update } = {};

beforeAll(async () => {
  first.update = await cloud.up(vaultsExample);
});
afterAll(() => cloud.clean());

describe('the example of docs/vaults.md', () =>
  vaultsSuite(cloud, () => {
    if (first.update === undefined) throw new Error('the example was not deployed');
    return first.update;
  }));
describe('vaults with access policies', () => policiesSuite(cloud));
describe('a release', () => promoteSuite(cloud));
describe('what is killed in the middle of an update', () => killsSuite(cloud));
describe('the end of the example', () => vaultsEndSuite(cloud));
