import { differenceOf } from './difference';
import { stackFiles } from './examples';
import { GoldenFiles } from './files';
import type { Example } from './record';
import { recordBootstrap, recordExample } from './record';
import { brokenRules } from './rules';
import { sectionsOf } from './sections';
import { variants } from './variants';
import { wholeOf } from './whole';

// What the program registers, reads and outputs for each stack file of the repository, and for changes of them that matter.
// `npm run goldens` writes the texts that these are compared with; whoever changes one reviews its difference.
//
// What mocks do not prove: that Azure and Kubernetes accept it, that the order holds there, and what is known in a preview.
// The values that Azure would answer are made up, and in clusters everything is ready.

// Bundling it takes longer than all the rest, and its text would change with each change of the program.
jest.mock('../../../stacks/deploy/reconcilerProgram', () => ({ reconcilerProgram: () => 'the program' }));

/** The text of a deployment and the rules that it breaks; not the deployment, which holds much memory. */
async function shown(recording: Promise<Example>) {
  const found = await recording;
  return { sections: await sectionsOf(found), broken: brokenRules(found.recording) };
}

const deployed = new Map<string, ReturnType<typeof shown>>();
/** The example as it is, deployed once. */
function example(name: string): ReturnType<typeof shown> {
  const found = deployed.get(name) ?? shown(recordExample(stackFiles.get(name) ?? ''));
  deployed.set(name, found);
  return found;
}

describe('the examples', () => {
  const goldens = new GoldenFiles('examples');

  it.each([...stackFiles.keys()])('%s', async (name) => {
    const { sections, broken } = await example(name);

    expect(broken).toEqual({});
    goldens.compare(name, wholeOf(sections));
  });

  it('of the pipelines', async () => {
    const { sections } = await shown(recordBootstrap());

    goldens.compare('bootstrap', wholeOf(sections));
  });

  it('are all that have a golden', () => {
    expect(stackFiles.size).toBeGreaterThan(10);
    goldens.compareNames([...stackFiles.keys(), 'bootstrap']);
  });
});

describe('the variants', () => {
  const goldens = new GoldenFiles('variants');

  it.each(variants.map((variant) => [variant.name, variant] as const))(
    '%s',
    async (name, { of, shows, ...change }) => {
      const before = await example(of);
      const { sections, broken } = await shown(recordExample(stackFiles.get(of) ?? '', change));

      expect(broken).toEqual({});
      const difference = differenceOf(before.sections, sections);
      goldens.compare(name, `${shows}\nDiffers from ${of} in:\n${difference}`);
    },
  );

  it('are all that have a golden', () => {
    goldens.compareNames(variants.map(({ name }) => name));
  });
});
