import path from 'node:path';
import { extractShapes } from '../../../../plugins/resources/shapes/extract';
import { readFields, type Fields, type Shapes } from '../../../../plugins/resources/shapes/shape';
import recorded from '../../../../plugins/azure-native/shapes/shapes.json';
import { declaredTypes, resourceTypes, type ResourceType } from '../../../../plugins/azure-native/table';
import { functionTypes } from '../../../../plugins/azure-native/functionTable';
import { nameInput, pathInputs } from '../../../../plugins/azure-native/resourceId';
import { readFileSync } from 'node:fs';

// This proves that for a program, the plugin's inputs and outputs have the official names, kinds and
// requiredness.
const packageFolder = path.dirname(require.resolve('@pulumi/azure-native/package.json'));
const shapes: Shapes = recorded;

function fieldsOf(type: ResourceType): { inputs: Fields; outputs: Fields } {
  const shape = shapes.resources[type.token];
  if (shape === undefined) throw new Error(`no shape of ${type.token}`);
  return shape;
}

/** Resolves a path such as `networkProfile.serviceCidr` through the declared types. */
function declares(fields: Fields, propertyPath: string): boolean {
  let current = readFields(shapes, fields);
  const names = propertyPath.split('.');
  return names.every((name, index) => {
    const field = current[name.replace(/\[\]$/, '')];
    if (field === undefined) return false;
    const declared = field.shape();
    const shape = name.endsWith('[]') && declared.kind === 'list' ? declared.of : declared;
    if (shape.kind === 'object') current = shape.fields;
    else return index === names.length - 1;
    return true;
  });
}

describe('declarations of the npm package', () => {
  it('match the recorded ones, for every input and output of every type', () => {
    // given the declarations as installed
    const extracted = extractShapes(packageFolder, declaredTypes());

    // then the recorded ones are the same, to the last nested property
    expect(extracted).toEqual(shapes);
    expect(Object.keys(extracted.resources)).toHaveLength(resourceTypes.length);
    // Access policies are a part of their vault.
    expect(
      Object.entries(extracted.resources)
        .filter(([, { apiVersion }]) => apiVersion === undefined)
        .map(([token]) => token),
    ).toEqual(['azure-native:keyvault:AccessPolicy']);
  });

  it('are read with requiredness and kinds', () => {
    const vault = shapes.resources['azure-native:keyvault:Vault'];
    expect(vault?.inputs).toMatchObject({
      properties: 'inputs.keyvault.VaultPropertiesArgs!',
      resourceGroupName: 'string!',
      vaultName: 'string',
      tags: '{string}',
    });
    expect(shapes.types['outputs.keyvault.VaultPropertiesResponse']).toMatchObject({ vaultUri: 'string!' });
    expect(shapes.types['inputs.containerservice.ManagedClusterIdentityArgs']).toMatchObject({
      userAssignedIdentities: '[string]',
    });
  });
});

describe.each(resourceTypes)('row $token', (type) => {
  it('has the token that the npm package registers', () => {
    const [, module = '', name = ''] = type.token.split(':');
    const file = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const source = readFileSync(path.join(packageFolder, module, `${file}.js`), 'utf8');
    expect(source).toContain(`static __pulumiType = '${type.token}';`);
  });

  it('builds its path from declared inputs, of which only the last may be missing', () => {
    const { inputs } = fieldsOf(type);
    for (const input of pathInputs(type.path)) {
      expect({ input, declared: declares(inputs, input) }).toEqual({ input, declared: true });
      const generated = input === nameInput(type.path) && type.autoName !== undefined;
      if (!input.includes('.'))
        expect({ input, required: inputs[input] === 'string!' }).toEqual({ input, required: !generated });
    }
  });

  it('names only declared inputs in its rules', () => {
    const { inputs } = fieldsOf(type);
    const rules = [
      ...(type.top ?? []),
      ...(type.replace ?? []),
      ...(type.maintained ?? []),
      ...(type.idSets ?? []),
      ...(type.chosen ?? []),
      ...Object.keys(type.defaults ?? {}),
      ...Object.keys(type.nested ?? {}),
      ...Object.entries(type.nested ?? {}).flatMap(([path, members]) =>
        members.map((member) => `${path}.${member}`),
      ),
    ];
    expect(rules.filter((rule) => !declares(inputs, rule))).toEqual([]);
    if (type.defaultLocation) expect(inputs['location']).toBe('string');
  });

  it('leaves `properties` nested exactly where the declarations do', () => {
    const { outputs } = fieldsOf(type);
    const nested = type.top === undefined && type.special !== 'accessPolicy';
    expect('properties' in outputs).toBe(nested);
  });
});

describe.each(functionTypes)('function $token', (type) => {
  it('has the API version and the arguments of its declarations', () => {
    const shape = shapes.functions[type.token];
    expect(shape?.apiVersion).toMatch(/^20/);
    const sent = [...pathInputs(type.path), ...Object.keys(type.query ?? {})];
    expect(sent.sort()).toEqual(Object.keys(shape?.inputs ?? {}).sort());
    expect((type.secrets ?? []).filter((name) => !(name in (shape?.outputs ?? {})))).toEqual([]);
  });
});
