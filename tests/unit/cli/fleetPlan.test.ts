import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assignClusters } from '../../../cli/fleet/assignment';
import { quotas, rates } from '../../../cli/fleet/limits';
import { planPicture } from '../../../cli/fleet/planPicture';
import { exceeded, planRollout, type RolloutOptions } from '../../../cli/fleet/rolloutPlan';
import { projectRoot } from '../../support/command';
import { reviewed } from '../support/reviewed';
import { check } from '../stacks/stackFileText';
import { clusterNames, fleetText, runFleet, stackFileOfCell, type Cells } from './fleet.fixture';
import { areasOf, contains, overlap, parseSvg } from './svgDocument';

// What these do not prove: that Azure throttles as its documentation says.

const shows = reviewed(__filename);
const four: Cells = {
  canary: [1, 'aks-001'],
  c01: [2, 'aks-002', 'aks-003'],
  c02: [3, 'aks-004', 'aks-005'],
  c03: [3, 'aks-006'],
};
const file = (text: string) => ({ 'Pulumi.fleet.yaml': text });
const small = file(fleetText(clusterNames(6), four));
const plan = ['plan', '--stack', 'fleet'];

/** A thousand clusters in cells of 25, with five secrets for each. */
const thousand = () => {
  const cells = Array.from({ length: 40 }, (_, index): [string, Cells[string]] => [
    `c${index + 1}`,
    [index === 0 ? 1 : index < 5 ? 2 : 3, ...clusterNames(25, 25 * index + 1)],
  ]);
  const application = "{ name: orders, image: 'x/y:1', identity: application, secrets: [a, b, c, d, e] }";
  return fleetText(clusterNames(1000), Object.fromEntries(cells), application);
};
const options: RolloutOptions = { parallel: 10, cellMinutes: 15, raised: new Map() };
const rolloutOf = (text: string, changes: Partial<RolloutOptions> = {}) => {
  const { configuration, ofCell, lines } = check(text, {}, 'fleet');
  if (configuration === undefined || ofCell === undefined) throw new Error(lines.join('\n'));
  return planRollout(configuration, ofCell, { ...options, ...changes });
};

beforeAll(() => delete process.env.ARM_SUBSCRIPTION_ID);

describe('fleet plan', () => {
  shows('the waves and the quotas', () => runFleet(small, plan));
  shows('the waves and the quotas as JSON', () => runFleet(small, [...plan, '--json']));
  it('reads the stack file that --file names', async () => {
    const elsewhere = { 'elsewhere/any.yaml': small['Pulumi.fleet.yaml'] };
    const [ofFile, own] = [
      await runFleet(elsewhere, [...plan, '--file', 'elsewhere/any.yaml']),
      await runFleet(small, plan),
    ];
    expect(own.code).toBe(0);
    expect(ofFile).toEqual(own);
  });
  shows('a plan over quotas is an error with a hint for each', () => runFleet(file(thousand()), plan));
  shows('raised quotas count', () =>
    runFleet(file(thousand()), [...plan, '--json', '--raised', 'clusters-in-region=1000']).then(
      ({ stdout, stderr, code }) => ({
        exceeded: (JSON.parse(stdout) as { exceeded: string[] }).exceeded.join(),
        ...{ stderr, code },
      }),
    ),
  );
  shows('a quota that is not raised', () =>
    runFleet(small, [...plan, '--raised', 'clusters-in-region=10']).catch(String),
  );
  shows('a stack without cells', () => runFleet(file(fleetText(clusterNames(2))), plan));
  shows('a cell', () =>
    runFleet({ ...small, 'Pulumi.fleet-c01.yaml': stackFileOfCell }, ['plan', '--stack', 'fleet-c01']),
  );
  shows('a cell with the name of another environment', () =>
    runFleet({ ...small, 'Pulumi.fleet-c01.yaml': fleetText(clusterNames(1)) }, plan),
  );
  shows('an unknown stack', () => runFleet(small, ['plan', '--stack', 'flet']));
  shows('a file that is not valid', () =>
    runFleet(file(fleetText(clusterNames(2), { canary: [1, 'aks-001'] })), plan),
  );
});

describe('the duration of a wave', () => {
  it('is that of the cells, in rounds, if no limit takes longer', () => {
    const { waves } = rolloutOf(fleetText(clusterNames(6), four), { parallel: 1 });
    expect(waves.map(({ seconds, bounds }) => [seconds, bounds[0].limit])).toEqual([
      [900, 'parallel'],
      [900, 'parallel'],
      [1800, 'parallel'],
    ]);
  });

  it('is that of a token bucket: what the waves before left out of it, at the rate of its refill', () => {
    const { waves } = rolloutOf(thousand());
    const last = waves.at(-1);
    // 35 cells of 25 clusters: 875 clusters. The waves before left none in the bucket, and one more comes each minute.
    expect(last?.bounds[0]).toMatchObject({ limit: 'cluster-writes', seconds: 875 * 60 });
    const credentials = 875 * 2;
    expect(last?.bounds.find(({ limit }) => limit === 'credential-writes')?.seconds).toBe(
      (credentials - 2) / 2,
    );
  });

  it('is in the sum of all waves not below what the limits need for all cells at once', () => {
    const { waves, seconds, bound, ratio } = rolloutOf(thousand());
    // The bucket had 20 clusters; 25, 100 and 875 are created.
    expect(waves.map((wave) => wave.seconds / 60)).toEqual([15, 90, 875]);
    expect(bound).toMatchObject({ limit: 'cluster-writes', seconds: (1000 - 20) * 60 });
    expect(ratio).toBe(seconds / ((1000 - 20) * 60));
    expect(ratio).toBeLessThanOrEqual(1.1);
  });

  it('does not get longer with more cells at once', () => {
    const text = fleetText(clusterNames(6), four);
    const durations = [1, 2, 3].map((parallel) => rolloutOf(text, { parallel }).seconds);
    expect(durations).toEqual([...durations].sort((one, other) => other - one));
  });
});

describe('the quotas', () => {
  it('count in the fullest place', () => {
    const found = rolloutOf(thousand());
    expect(exceeded(found).map(({ limit, count }) => [limit, count])).toEqual([
      // Five secrets, and the operator's right to read itself.
      ['role-assignments', 6000],
      ['clusters-in-region', 1000],
    ]);
  });

  describe('of a subscription', () => {
    const id = '2222AAAA-2222-4222-8222-222222222222';
    const group = `/subscriptions/${id}/resourceGroups/rg-data`;
    const scope = `${group}/providers/Microsoft.Storage/storageAccounts/stdata`;
    const application = `{ name: orders, image: 'x/y:1', identity: application, secrets: [orders-db], roles: [{ role: Reader, scope: '${scope}' }] }`;
    const text = fleetText(clusterNames(6), four, application);
    const inSubscription = (changes: Partial<RolloutOptions>, changed = text) => {
      const { quotas: uses, countedApart } = rolloutOf(changed, changes);
      const { place, count } = uses.find(({ limit }) => limit === 'role-assignments') ?? {};
      return { place, count, countedApart };
    };

    it.each([
      ['the resource group names it', {}, text.replace('rg-fleet', `{ existing: '${group.toLowerCase()}' }`)],
      ['it is that of the deployment', { subscription: id }, text],
    ])('count what the settings name by id, if %s', (_, changes, changed) => {
      expect(inSubscription(changes, changed)).toEqual({
        place: id.toLowerCase(),
        count: 18,
        countedApart: [],
      });
    });

    it('are named if that of the environment is unknown', async () => {
      expect(inSubscription({})).toEqual({
        place: 'the subscription of fleet',
        count: 12,
        countedApart: [id.toLowerCase()],
      });
      expect((await runFleet(file(text), plan)).stderr).toBe(
        `note: The subscription of fleet is unknown, so it is counted apart from ${id.toLowerCase()}. If it is one of them, set ARM_SUBSCRIPTION_ID.\n`,
      );
      const named = `${text}  azure-native:subscriptionId: ${id}\n`;
      expect((await runFleet(file(named), plan)).stderr).toBe('');
    });
  });

  it('and the rates each have a source and their own name', () => {
    const all = [...quotas, ...rates];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.filter(({ source }) => !source.startsWith('MicrosoftDocs/'))).toEqual([]);
  });
});

describe('the picture of a plan', () => {
  const draw = (text: string) =>
    planPicture(rolloutOf(text), { from: 'planned', at: new Date('2026-12-01T00:00:00Z') });

  it('is written to the named file', async () => {
    const { after } = await runFleet(small, [...plan, '--svg', '{folder}/fleet.svg'], (folder) =>
      readFileSync(path.join(folder, 'fleet.svg'), 'utf8'),
    );
    expect(after).toContain('Rollout of fleet: 6 clusters in 4 cells and 3 waves');
  });

  it.each([
    ['a small fleet', fleetText(clusterNames(6), four)],
    ['a large fleet', thousand()],
  ])('of %s has room for its texts, and bars one after the other', (_, text) => {
    const areas = areasOf(parseSvg(draw(text)));
    const of = (...styles: string[]) =>
      areas.filter(({ element }) => styles.includes(element.attributes.class ?? ''));
    const [paper] = of('paper');
    const [boxes, frames, texts] = [of('blue', 'green', 'yellow'), of('frame'), of('ink', 'quiet', 'head')];
    for (const label of texts) {
      expect(paper !== undefined && contains(paper, label)).toBe(true);
      expect(texts.filter((other) => other !== label && overlap(label, other))).toEqual([]);
      expect(boxes.filter((box) => overlap(box, label) && !contains(box, label))).toEqual([]);
    }
    const bars = of('green', 'yellow');
    for (const bar of bars) expect(frames.filter((frame) => contains(frame, bar))).toHaveLength(1);
    const waves = bars.slice(0, 3);
    expect(waves.map(({ x }) => x)).toEqual(waves.map(({ x }) => x).sort((one, other) => one - other));
  });
});

/**
 * Clusters in cells of 25, as `fleet assign` makes them, with five applications of two secrets each. Each application has an
 * identity on each cluster, or one for all clusters, with identity bindings.
 */
function fleetOf(count: number, identity: 'each' | 'shared' = 'each'): string {
  const names = clusterNames(count);
  const sizes = { size: 25, canary: Math.min(25, count) };
  const cells = assignClusters(
    names.map((name) => ({ name })),
    [],
    sizes,
  ).map(({ name, wave, clusters }): [string, Cells[string]] => [
    name,
    [wave, ...(clusters as readonly string[])],
  ]);
  const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-identities';
  const identityOf = (name: string) =>
    identity === 'each'
      ? 'identity: application'
      : `trust: identityBinding, identity: { existing: '${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-${name}' }`;
  const applications = ['orders', 'billing', 'mail', 'web', 'jobs'].map(
    (name) => `{ name: ${name}, image: 'x/y:1', ${identityOf(name)}, secrets: [${name}-db, ${name}-key] }`,
  );
  return fleetText(names, Object.fromEntries(cells), applications.join(', '));
}

describe('docs/fleets.md', () => {
  it('has the figures of its fleet, and its picture; `npm run picture` draws it', () => {
    const plan = rolloutOf(fleetOf(1000));
    const writesOf = ({ waves }: ReturnType<typeof rolloutOf>) =>
      waves.flatMap(({ cells }) => cells).reduce((sum, { writes }) => sum + writes, 0);
    expect(plan.waves.map(({ cells, seconds }) => `${cells.length} cells, ${seconds / 60} min`)).toEqual([
      ...['1 cells, 15 min', '1 cells, 15 min', '4 cells, 100 min', '34 cells, 850 min'],
    ]);
    expect(plan.ratio).toBe(1);
    expect(plan.quotas.map(({ limit, count }) => [limit, count])).toEqual(
      expect.arrayContaining([
        ['role-assignments', 11_000],
        ['entra-objects', 7000],
      ]),
    );
    expect(writesOf(plan) / 1000).toBe(writesOf(rolloutOf(fleetOf(10))) / 10);

    const shared = rolloutOf(fleetOf(1000, 'shared'), { raised: new Map([['clusters-in-region', 1000]]) });
    expect(exceeded(shared)).toEqual([]);
    expect(shared.ratio).toBe(1);
    expect(shared.waves.map(({ seconds }) => seconds)).toEqual(plan.waves.map(({ seconds }) => seconds));
    expect(shared.quotas.map(({ limit, count }) => [limit, count])).toEqual(
      expect.arrayContaining([
        ['role-assignments', 1010],
        ['entra-objects', 2000],
      ]),
    );
    expect([writesOf(plan), writesOf(shared)]).toEqual([25_000, 10_000]);
    expect(writesOf(shared) / 1000).toBe(writesOf(rolloutOf(fleetOf(10, 'shared'))) / 10);

    const picture = path.join(projectRoot, 'docs/fleets.svg');
    const drawn = planPicture(shared, { from: 'planned', at: new Date('2026-12-01T00:00:00Z') });
    if (process.env.npm_lifecycle_event === 'picture') writeFileSync(picture, drawn);
    expect(readFileSync(picture, 'utf8')).toBe(drawn);
  });
});
