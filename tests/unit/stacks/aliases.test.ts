import { parseCommitted } from '../../../localcloud/commands/stackDocument';
import { ambiguousIn, readYaml } from '../../../stacks/settings/yamlPlaces';

describe('a stack file that the local cloud writes', () => {
  it('keeps strings in quotes that the engine would not read as strings, where aliases are written out', () => {
    const values = '"2024-01-01", "yes", "1_000", "012", "0X1F"';
    const text = `x-a: &a [${values}]\nconfig: { a: *a, b: *a, "2024-01-01": c, on: 5 }\n`;
    const written = parseCommitted(text, 'Pulumi.local.yaml').toString();

    expect(ambiguousIn(written)).toEqual([]);
    expect(readYaml(written).content).toEqual(readYaml(text).content);
    expect(written).not.toContain('*a');
  });
});
