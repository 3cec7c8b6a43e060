/**
 * Stacks side by side: one makes a cluster, others have it as one that exists, each in its own resource group, with vaults
 * and namespaces of its own.
 *
 * - Vaults with everything that a configuration can say of them, through the vendors' clients: that Azure has it, that a
 *   second update changes nothing, and that a lock stands in the way of neither a removal that takes it away nor of the
 *   end. It does not prove that addresses are refused or names resolved as Azure's networks do it.
 * - Vaults with access policies.
 * - A release that goes from one environment to the next.
 *
 * The tests of each are steps of one story and run in order; the stories do not know of each other.
 */
import { localCloud, type Update } from '../support/localCloud';
import { vaultsExample } from './neighbours';
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
describe('the end of the example', () => vaultsEndSuite(cloud));
