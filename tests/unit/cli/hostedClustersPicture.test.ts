import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostedClustersPicture } from '../../../cli/hostedClusters/picture';
import { hostedClusterViews } from '../../../cli/hostedClusters/view';
import { checkStackFile } from '../../../stacks/stackFile';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { projectRoot } from '../../support/command';
import { guidOf } from '../components/support/azure';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from '../stacks/deployed';
import { byCertificate, hostedIdentity, trusting, twoHostedClusters } from './hostedClusters.fixture';
import type { Area } from './svgDocument';
import { areasOf, contains, overlap, parseSvg } from './svgDocument';

// What these do not prove: that it pleases the eye, and that a browser has a font of the measured widths. It has an attribute to
// fit the texts.

type Outputs = ReturnType<typeof twoHostedClusters>;

const now = new Date('2026-12-01T00:00:00Z');
const draw = (outputs: Outputs) => hostedClustersPicture('prod', hostedClusterViews(outputs, now), now);

/** The picture of these outputs, with its boxes and its texts. */
function drawn(outputs = twoHostedClusters()) {
  const svg = parseSvg(draw(outputs));
  const areas = areasOf(svg);
  const of = (...styles: string[]) =>
    areas.filter(({ element }) => styles.includes(element.attributes.class ?? ''));
  const texts = areas.filter(({ element }) => element.name === 'text');
  const boxes = of('blue', 'grey', 'green', 'yellow');
  const textIn = (box: Area) =>
    texts.filter((text) => contains(box, text)).map(({ element }) => element.text);
  return {
    ...{ svg, texts, boxes, textIn, panels: of('panel'), frames: of('frame'), paper: of('paper') },
    /** The texts of the boxes beside each other, of each row of a component. */
    rows: of('blue').map((box) => {
      const middle = (box.y + box.bottom) / 2;
      return boxes
        .filter((area) => area.y < middle && middle < area.bottom)
        .sort((one, other) => one.x - other.x)
        .map((area) => textIn(area).join(' ').replaceAll('- ', '-'));
    }),
  };
}

describe('the picture of the hosted clusters', () => {
  it('has next to each component its class, what reads its secret, the secret, its identity and its roles', () => {
    const row = (component: string) => [
      component,
      `managed-azure-${component}`,
      'on the nodes client-of-reader',
      `${component}-hc1-json`,
      `id-${component}`,
      `Operator of ${component} resourceGroups/rg-hc virtualNetworks/vnet/subnets/nodes`,
    ];
    expect(drawn().rows.slice(0, 2)).toEqual([row('disk'), row('network')]);
  });

  it('has the secrets in their vault, and no other boxes', () => {
    const { frames, boxes, textIn } = drawn();
    expect(frames).toHaveLength(1);
    const [frame] = frames;
    const inVault = boxes.filter((box) => frame && overlap(frame, box));
    expect(inVault.map(textIn)).toEqual([['disk-hc1-json'], ['network-hc1-json']]);
    expect(frame && textIn(frame)).toContain('vault kv-central');
  });

  it('has beside each component that signs in with federation the service accounts that its identity trusts', () => {
    const roles = (component: string) =>
      `Operator of ${component} resourceGroups/rg-hc virtualNetworks/vnet/subnets/nodes`;
    expect(drawn().rows.slice(2)).toEqual([
      ['disk', 'system/id-disk-node', 'id-disk-node', roles('disk')],
      ['ingress', 'system/id-ingress', 'id-ingress', roles('ingress')],
    ]);
  });

  it('has below each role what it is assigned on', () => {
    const outputs = twoHostedClusters();
    const roles = ['a', 'b', 'a'].map((role, index) => ({
      role,
      scope: `/subscriptions/s/resourceGroups/${index}`,
    }));
    outputs.hostedClusters[1]?.components.splice(0, 1, { ...hostedIdentity('ingress'), roles });
    expect(drawn(outputs).rows.at(-1)?.at(-1)).toBe('a resourceGroups/0 resourceGroups/2 b resourceGroups/1');
  });

  it('has room for the identity that reads the vault beside short rows', () => {
    const outputs = twoHostedClusters();
    const [hosted] = outputs.hostedClusters;
    if (hosted === undefined) throw new Error('no hosted cluster');
    hosted.components.forEach((component) => (component.roles = []));
    hosted.reader = { clientId: '0'.repeat(127), principalId: '' };
    expect(drawn(outputs).rows[0]?.[2]?.replaceAll(' ', '')).toBe(`onthenodes${'0'.repeat(127)}`);
  });

  it('has a panel for each hosted cluster', () => {
    const { panels, textIn } = drawn();
    expect(panels.map((panel) => textIn(panel)[0])).toEqual([
      'hc1, with its control plane on management in clusters-hc1',
      'hc2, with its control plane on management in clusters-hc2',
    ]);
  });

  it('says so where there are none', () => {
    const { texts, panels } = drawn({ hostedClusters: [], identities: [] });
    expect(texts.map(({ element }) => element.text)).toEqual([
      'Stack prod has no hosted clusters',
      'deployed, by the state of stack prod, at 2026-12-01 00:00 UTC',
    ]);
    expect(panels).toEqual([]);
  });

  it('describes what it shows for people who cannot see it', () => {
    const { attributes, children } = drawn().svg;
    expect(attributes).toMatchObject({ role: 'img', 'aria-labelledby': 'title description' });
    const [title, description] = children;
    expect(title).toMatchObject({
      name: 'title',
      attributes: { id: 'title' },
      text: 'Hosted clusters of stack prod',
    });
    expect(description).toMatchObject({ name: 'desc', attributes: { id: 'description' } });
    expect(description?.text).toContain(
      'Control plane, by certificate: disk → managed-azure-disk → on the nodes, client-of-reader → disk-hc1-json → id-disk → Operator of disk, resourceGroups/rg-hc,',
    );
  });

  it('needs nothing else, and has colours for dark surroundings', () => {
    const text = draw(twoHostedClusters());
    expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|<image|<script|@import/);
    const [, light = '', dark = ''] =
      /<style>([^]*)@media \(prefers-color-scheme: dark\) \{([^]*)<\/style>/.exec(text) ?? [];
    const selectors = (rules: string) => rules.match(/^\.[\w, .]+(?= \{ (?:fill|stroke): #)/gm) ?? [];
    expect(selectors(dark).length).toBeGreaterThan(5);
    for (const selector of selectors(dark)) expect(light).toContain(`${selector} {`);
  });

  it.each([
    ['without a hyphen', 'a'.repeat(127)],
    ['of hyphens', 'w-'.repeat(63)],
    ['of several words', `${'role '.repeat(20)}${'x'.repeat(27)}`],
    ['with what XML reserves', '<b> & "c" \'d\' '.repeat(9)],
  ])('has room for all texts, also for names %s', (_, name) => {
    const outputs = {
      hostedClusters: twoHostedClusters().hostedClusters.map((hosted) => ({
        ...{ ...hosted, name, managementCluster: name, vault: 'v'.repeat(24) },
        reader: { clientId: name, principalId: name },
        components: [
          {
            ...byCertificate(name),
            secret: name,
            secretProviderClass: name,
            roles: [{ role: name, scope: name }],
          },
          ...hosted.components,
        ],
        nodes: [{ ...hostedIdentity('disk', name), roles: [] }],
      })),
      identities: trusting(name),
    };
    const { svg, texts, boxes, panels, frames, paper, rows } = drawn(outputs);

    expect(rows[0]?.map((text) => text.replaceAll(' ', ''))).toContain(name.replaceAll(' ', ''));
    expect(svg.children[1]?.text).toContain(name);
    expect(paper[0]?.right).toBeLessThan(1500);
    const framed = [...boxes, ...frames];
    for (const text of texts) {
      expect(texts.filter((other) => other !== text && overlap(text, other))).toEqual([]);
      // Where it is in a box at all, it is in it as a whole.
      expect(framed.filter((box) => overlap(box, text) && !contains(box, text))).toEqual([]);
      expect(paper.filter((sheet) => contains(sheet, text))).toHaveLength(1);
    }
    for (const box of boxes) {
      expect(boxes.filter((other) => other !== box && overlap(box, other))).toEqual([]);
      expect(panels.filter((panel) => contains(panel, box))).toHaveLength(1);
    }
    expect(
      panels.filter((panel, index) => panels.slice(0, index).some((other) => overlap(panel, other))),
    ).toEqual([]);
  });
});

describe('the picture of docs/hypershift.md', () => {
  const picture = path.join(projectRoot, 'docs/hypershift.svg');
  const example = 'examples/configurations/hypershift/Pulumi.hypershift.yaml';

  it('is that of the example; `npm run picture` draws it', async () => {
    const text = readFileSync(path.join(projectRoot, example), 'utf8');
    const { configuration } = checkStackFile(
      { environment: 'hypershift', file: example, text },
      projectFiles(projectRoot),
    );
    if (configuration === undefined) throw new Error('the example is not valid');
    const reader = { clientId: guidOf('reader'), objectId: guidOf('reader in Entra') };
    const { result } = await record(() => deployed(configuration), {
      answers: {
        'azure-native:containerservice:getManagedCluster': {
          addonProfiles: { azureKeyvaultSecretsProvider: { identity: reader } },
        },
      },
    });
    const outputs = {
      hostedClusters: await valueOf(result.hostedClusters),
      identities: await valueOf(result.identities),
    };
    const svg = hostedClustersPicture('hypershift', hostedClusterViews(outputs, now), now);

    if (process.env.npm_lifecycle_event === 'picture') writeFileSync(picture, svg);
    expect(readFileSync(picture, 'utf8')).toBe(svg);
  });
});
