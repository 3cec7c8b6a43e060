import schema from '../../../components/schema.json';
import { accepted, type Arguments } from '../components/support/accepted';
import { least } from '../components/support/least';
import { record } from '../components/support/recorder';
import { make } from '../components/support/refusal';
import { differenceOf } from './difference';
import { GoldenFiles } from './files';
import { References } from './references';
import type { Sections } from './sections';
import { sectionsOf } from './sections';
import { wholeOf } from './whole';

// What each component registers with the least arguments, so its defaults, and what differs with all that it accepts.
//
// What mocks do not prove: that Azure, Entra and Kubernetes accept it.

interface Outputs {
  readonly properties?: object;
  readonly required?: readonly string[];
}
const documented = schema.resources as unknown as Readonly<Record<string, Outputs>>;

/** The registrations and the outputs of a component. */
async function shown(type: string, args: Arguments | undefined): Promise<Sections> {
  const recording = await record(() => {
    make(type, args);
    return {};
  });
  const sections = await sectionsOf({ recording, warnings: [], findings: [] });
  const own = recording.state.find(
    (registration) => registration.type.endsWith(`:${type}`) && registration.name === 'x-name',
  );
  return { ...sections, outputs: new References(recording).show(own?.outputs).value as object };
}

describe('the components', () => {
  const goldens = new GoldenFiles('components');
  const types = Object.keys(accepted);

  it.each(types)('%s', async (type) => {
    const [few, all] = [await shown(type, least[type]), await shown(type, accepted[type])];

    const { properties = {}, required = [] } = documented[`aks-workload-identity:index:${type}`] ?? {};
    for (const { outputs } of [few, all]) {
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(outputs)));
      expect(Object.keys(outputs)).toEqual(expect.arrayContaining([...required]));
    }
    goldens.compare(type, `${wholeOf(few)}With all arguments:\n${differenceOf(few, all)}`);
  });

  it('are all that have a golden', () => {
    goldens.compareNames(types);
  });
});
