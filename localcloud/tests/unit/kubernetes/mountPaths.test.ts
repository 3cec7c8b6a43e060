import { replaceMountPaths } from '../../../kubernetes/agent/mountPaths';

const mappings = [
  { mountPath: '/data', hostPath: '/state/pods/1/volumes/data' },
  { mountPath: '/data/inner', hostPath: '/state/pods/1/volumes/inner' },
  { mountPath: '/var/run/secrets/azure/tokens', hostPath: '/state/pods/1/volumes/token' },
  { mountPath: '/certs/', hostPath: '/state/pods/1/volumes/certs' },
];

describe('mount paths in arguments and variables', () => {
  it.each([
    ['/data', '/state/pods/1/volumes/data'],
    ['/data/file.txt', '/state/pods/1/volumes/data/file.txt'],
    ['--dir=/data', '--dir=/state/pods/1/volumes/data'],
    ['/data/inner/x', '/state/pods/1/volumes/inner/x'],
    ['a:/data:/certs', 'a:/state/pods/1/volumes/data:/state/pods/1/volumes/certs'],
    ['{"path":"/data"}', '{"path":"/state/pods/1/volumes/data"}'],
    [
      '/var/run/secrets/azure/tokens/azure-identity-token',
      '/state/pods/1/volumes/token/azure-identity-token',
    ],
  ])('%s is mapped to the host', (text, expected) => {
    expect(replaceMountPaths(text, mappings)).toBe(expected);
  });

  it.each(['/database', '/my/data', 'https://host/data/x', 'data', '/data-old', '/data.bak'])(
    '%s is another path',
    (text) => {
      expect(replaceMountPaths(text, mappings)).toBe(text);
    },
  );

  it('does not replace in inserted paths', () => {
    const nested = [
      { mountPath: '/a', hostPath: '/b/x' },
      { mountPath: '/b', hostPath: '/c' },
    ];
    expect(replaceMountPaths('/a,/b', nested)).toBe('/b/x,/c');
  });

  it('never treats the root as a mount', () => {
    expect(replaceMountPaths('/etc/x', [{ mountPath: '/', hostPath: '/state' }])).toBe('/etc/x');
  });
});
