import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderSummary } from '../../../cli/validate/summary';
import { checkStackFile } from '../../../stacks/stackFile';
import { summarizeConfiguration } from '../../../stacks/plan/summary';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { projectRoot } from '../../support/command';

/** The lines for an example. */
function linesOf(environment: string): string[] {
  const file = `examples/configurations/${environment}/Pulumi.${environment}.yaml`;
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  const { configuration } = checkStackFile({ environment, file, text }, projectFiles(projectRoot));
  if (configuration === undefined) throw new Error('the example is not valid');
  return renderSummary(summarizeConfiguration(configuration)).split('\n');
}

describe('the summary of a valid configuration', () => {
  it('has what each hosted cluster gets', () => {
    const lines = linesOf('hypershift');
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

  it('has an identity that trusts no service account and still reads', () => {
    expect(linesOf('pod-identity')).toContain(
      '    id-pod-identity-aks-1-orders trusts no service account on aks-1; reads kv-wi-pod-identity/orders-db',
    );
  });
});
