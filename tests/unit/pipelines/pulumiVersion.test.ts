import { version } from '@pulumi/pulumi/package.json';
import { textOf } from '../../support/pipelineFiles';

// What `aks-wi init` writes names the version of Pulumi in places that no lockfile keeps equal.

it.each([
  ['cli/init/files/package.json', /"@pulumi\/pulumi": "(.*)"/],
  ['.github/actions/setup/action.yml', /pulumi-version: ([\d.]+)/],
  ['.azure-pipelines/setup.yml', /get\.pulumi\.com \| sh -s -- --version ([\d.]+)/],
])('%s has the version of Pulumi in package.json', (file, pattern) => {
  expect(pattern.exec(textOf(file))?.[1]).toBe(version);
});
