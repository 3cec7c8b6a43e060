import { parse } from 'yaml';
import {
  devOpsJobs,
  expandedPipeline,
  gitHubJobs,
  textOf,
  type PipelineJob,
} from '../../support/pipelineFiles';
import { gitHubErrors, isPipeline } from '../../support/pipelineSyntax';

// The pipelines against what their vendors publish. What it does not prove: that tasks and actions exist in these versions, and
// what the services check when they run.

const drift = { gitHub: '.github/workflows/drift.yml', devOps: '.azure-pipelines/drift.yml' };
const grant = { gitHub: '.github/workflows/grant.yml', devOps: '.azure-pipelines/grant.yml' };

describe('the workflows for GitHub Actions', () => {
  const text = textOf('.github/workflows/deploy.yml');

  it.each([text, ...[drift.gitHub, grant.gitHub, '.github/workflows/release.yml'].map(textOf)])(
    "are valid by GitHub's own parser",
    async (file) => {
      expect(await gitHubErrors(file)).toEqual([]);
    },
  );

  it.each<[string, (valid: string) => string]>([
    ['a key that does not exist', (valid) => valid.replace('runs-on:', 'run-on:')],
    ['a context that is not there', (valid) => valid.replace('matrix.stack }}', 'matric.stack }}')],
    ['a job that is needed and missing', (valid) => valid.replace('needs: preview', 'needs: previews')],
    ['a permission that does not exist', (valid) => valid.replace('id-token: write', 'id_token: write')],
  ])('are invalid with %s', async (_, change) => {
    expect(change(text)).not.toBe(text);
    expect(await gitHubErrors(change(text))).not.toEqual([]);
  });
});

describe('the pipelines for Azure DevOps', () => {
  it.each([
    ...['azure-pipelines.yml', '.azure-pipelines/setup.yml', '.azure-pipelines/step.yml'],
    ...[drift.devOps, grant.devOps],
  ])("%s is valid by Microsoft's schema", (file) => {
    isPipeline(parse(textOf(file)));
    expect(isPipeline.errors ?? []).toEqual([]);
  });

  it.each(['azure-pipelines.yml', drift.devOps, grant.devOps])(
    '%s is valid with its templates put in',
    (file) => {
      isPipeline(expandedPipeline(file));
      expect(isPipeline.errors ?? []).toEqual([]);
    },
  );

  it.each([
    ['dependsOn: preview', 'dependOn: preview'],
    ['lockBehavior: sequential', 'lockBehavior: never'],
    ['- deployment: dev', '- deploymnet: dev'],
  ])('is invalid with %s as %s', (right, wrong) => {
    const text = textOf('azure-pipelines.yml');
    expect(text).toContain(right);
    expect(isPipeline(parse(text.replace(right, wrong)))).toBe(false);
  });
});

describe('both', () => {
  it('run the same steps in the same environments', () => {
    const steps = (jobs: readonly PipelineJob[]) =>
      jobs.map(({ name, environment, commands }) => ({ name, environment, commands }));
    const comparable = (all: ReturnType<typeof steps>) =>
      JSON.stringify(all)
        .replaceAll('$(Pipeline.Workspace)/approval-prod/', '')
        .replaceAll(' --record approval-dev.json', '');

    expect(comparable(steps(devOpsJobs()))).toBe(comparable(steps(gitHubJobs())));
    expect(steps(devOpsJobs(drift.devOps))).toEqual(steps(gitHubJobs(drift.gitHub)));
    const ofGrant = JSON.stringify(steps(devOpsJobs(grant.devOps))).replaceAll('parameters.', 'inputs.');
    expect(ofGrant).toBe(JSON.stringify(steps(gitHubJobs(grant.gitHub))));
  });

  it('store no credential: what is secret is the passphrase and the token of the job', () => {
    const files = ['.github/workflows/deploy.yml', '.azure-pipelines/step.yml', 'azure-pipelines.yml'];
    const texts = [...files, ...Object.values(drift), ...Object.values(grant)].map(textOf);
    expect(
      texts
        .join('\n')
        .match(/secrets\.\w+/g)
        ?.filter((secret) => secret !== 'secrets.PULUMI_CONFIG_PASSPHRASE'),
    ).toEqual([]);
    expect(texts.join('\n')).not.toMatch(/CLIENT_SECRET|creds:/);
  });

  it('contain no logic beside the command of the project', () => {
    const further = [drift, grant].flatMap(({ gitHub, devOps }) => [
      ...gitHubJobs(gitHub),
      ...devOpsJobs(devOps),
    ]);
    for (const { commands } of [...gitHubJobs(), ...devOpsJobs(), ...further])
      for (const command of commands)
        expect(command).toMatch(/^node cli\/bin\.mjs pipeline (preview|deploy|run|promote) [^;&|\n]+$/);
  });
});
