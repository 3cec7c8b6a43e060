import { readFileSync } from 'node:fs';
import { clusterBody } from '../../../azure/arm/resources/clusterSchema';

/** Members of an interface that the vendor's client sends, by their names in requests. */
function membersOf(serializer: string): string[] {
  const file = require.resolve('@azure/arm-containerservice').replace(/index\.js$/, 'models/models.js');
  const [, body = ''] =
    new RegExp(`function ${serializer}\\(item\\) \\{([\\s\\S]*?)\\n\\}`).exec(readFileSync(file, 'utf8')) ??
    [];
  return [...body.matchAll(/^ {4}(\w+):/gm)].map(([, name = '']) => name);
}

/** Paths of members that are not in the schema. */
function unknownIn(properties: object): string[] {
  const { error } = clusterBody.safeParse({ location: 'westeurope', properties });
  return (error?.issues ?? []).flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
}
const withAll = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

describe('what the newest client sends is known', () => {
  it('of a cluster, but for the add-on aad-pod-identity', () => {
    const names = membersOf('managedClusterPropertiesSerializer');
    expect(names.length).toBeGreaterThan(30);
    expect(unknownIn(withAll(names))).toEqual(['podIdentityProfile']);
  });

  it('of its agent pools', () => {
    const names = membersOf('managedClusterAgentPoolProfileSerializer');
    expect(names.length).toBeGreaterThan(40);
    expect(unknownIn({ agentPoolProfiles: [withAll(names)] })).toEqual([]);
  });
});
