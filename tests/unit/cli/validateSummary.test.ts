import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderSummary } from '../../../cli/validate/summary';
import { checkStackFile } from '../../../stacks/checks/stackFile';
import { summarizeConfiguration } from '../../../stacks/plan/summary';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { projectRoot } from '../../support/command';

describe('the summary of a valid configuration', () => {
  it('has what each hosted cluster gets', () => {
    const file = 'examples/configurations/hypershift/Pulumi.hypershift.yaml';
    const text = readFileSync(path.join(projectRoot, file), 'utf8');
    const { configuration } = checkStackFile(
      { environment: 'hypershift', file, text },
      projectFiles(projectRoot),
    );
    if (configuration === undefined) throw new Error('the example is not valid');
    const lines = renderSummary(summarizeConfiguration(configuration)).split('\n');
    expect(lines).toContain('  2 hosted clusters: hc1, hc2');
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^ {4}hc1 on management: 9 components, 3 managed identities, 9 secrets with credentials: kv-wi-hypershift\/cloud-provider-hc1-json, .*kv-wi-hypershift\/kms-hc1-json$/,
      ),
    );
    expect(lines).toContain(
      '    hc2 on self-managed: 7 components, 7 managed identities, 0 secrets with credentials',
    );
  });
});
