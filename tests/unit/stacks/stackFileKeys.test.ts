import { check, head } from './stackFileText';

// What these do not prove: that the engine reads files and keys so; its own rules are named where they are followed.

describe('a key that nothing reads', () => {
  const namespaces = 'Allowed: keys of aks-workload-identity, azure-native, azuread, kubernetes, pulumi.';
  const keys =
    'Allowed: config, environment, secretsprovider, encryptedkey, encryptionsalt, x-… for aliases.';

  it.each([
    [
      'of a misspelled namespace',
      `${head}  aks-workload-identiy:identity: application\n`,
      `7: aks-workload-identiy:identity: has no effect: nothing reads keys of aks-workload-identiy. ${namespaces} Did you mean aks-workload-identity:identity?`,
    ],
    [
      'of another namespace',
      `${head}  aws:region: x\n`,
      `7: aws:region: has no effect: nothing reads keys of aws. ${namespaces} Remove it.`,
    ],
    [
      'beside the configuration',
      `${head}aks-workload-identity:identity: application\n`,
      `7: aks-workload-identity:identity: has no effect beside \`config\`. ${keys} Move it into \`config\`, or remove it.`,
    ],
    [
      'misspelled beside the configuration',
      `encryptionsallt: v1:x\n${head}`,
      `1: encryptionsallt: has no effect beside \`config\`. ${keys} Did you mean encryptionsalt?`,
    ],
  ])('is reported: %s', (_, text, expected) => {
    expect(check(text).lines).toEqual([`Pulumi.test.yaml:${expected}`]);
  });

  it('is not one of the providers, of the engine, or of the stack itself', () => {
    const text = `encryptionsalt: v1:x\n${head}  azure-native:location: westeurope\n  pulumi:tags: {}\n`;

    expect(check(text).lines).toEqual([]);
  });

  it('is all that a file under another namespace has, beside what is missing', () => {
    const { lines } = check('config:\n  other:location: westeurope\n');

    expect(lines.some((line) => line.includes('other:location: has no effect'))).toBe(true);
    expect(lines.some((line) => line.includes('aks-workload-identity:location: is missing'))).toBe(true);
  });
});

describe('a key of the project', () => {
  it.each([
    [
      'config:location: mars',
      'config:location',
      'Write aks-workload-identity:location if that is meant, or remove it.',
    ],
    ['identity:foo: bar', 'identity:foo', 'Write aks-workload-identity:foo if that is meant, or remove it.'],
  ])('has no further colon: %s', (line, key, remedy) => {
    expect(check(`${head}  aks-workload-identity:${line}\n`).lines).toEqual([
      `Pulumi.test.yaml:7: aks-workload-identity:\"${key}\": is not a key: the name of a setting has no colon. ${remedy}`,
    ]);
  });

  it('is there once, with the namespace or without it', () => {
    expect(check(`${head}  location: northeurope\n`).lines).toEqual([
      'Pulumi.test.yaml:7: aks-workload-identity:location: is there twice, with the namespace and without it. Remove one of them.',
    ]);
  });
});

describe('a file that the engine does not read', () => {
  it.each([
    ['%YAML 1.1\n---\n', '1:1: is not YAML: Parsers follow the directive %YAML differently. Correct it.'],
    ['# \u0001\n', '1:3: is not YAML: The control character U+0001 is not allowed. Correct it.'],
    ['# d\uFFFDv\n', '1:4: is not YAML: A character is not in UTF-8. Correct it.'],
  ])('is refused: %j', (start, message) => {
    expect(check(start + head).lines).toEqual([`Pulumi.test.yaml:${message}`]);
  });
});
