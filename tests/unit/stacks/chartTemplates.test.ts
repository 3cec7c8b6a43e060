import path from 'node:path';
import { validate } from '../../../stacks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { projectRoot } from '../../support/command';
import { withProject } from '../cli/projectFolder';
import { input, type Input } from './settings';

// Charts in the project are read and not rendered. What it does not prove: that Helm makes of a template what is taken from it.

const takesAccount = 'serviceAccountName: {{ .Values.serviceAccount.name }}';
const takesLabels = 'labels: {{ toYaml .Values.podLabels | nindent 8 }}';
const pod = (...lines: string[]) => `${lines.join('\n')}\ncontainers: []\n`;

/** What is wrong with an application of a chart of these files. */
function problemsOf(
  files: Readonly<Record<string, string>>,
  application: Input = {},
  values?: Input,
  environment: Input = {},
): Promise<string[]> {
  const placed = Object.entries({ 'Chart.yaml': 'name: orders', ...files }).map(([name, text]) => [
    `charts/orders/${name}`,
    text,
  ]);
  return withProject(Object.fromEntries(placed) as Record<string, string>, (folder) => {
    const chart = { chart: './charts/orders', ...(values && { values }) };
    const settings = input([{ name: 'orders', chart, ...application }], environment);
    const validation = validate('test', settings, projectFiles(folder));
    return validation.ok ? [] : validation.problems.map(formatProblem);
  });
}

describe('a chart of the project', () => {
  it('that takes no identity values is refused, with what to write into it', async () => {
    const commented = pod(`# ${takesAccount}`, `{{/* ${takesLabels} */}}`);

    expect(
      await problemsOf({ 'templates/a.yaml': commented, 'values.yaml': 'serviceAccount: { name: }' }),
    ).toEqual([
      'aks-workload-identity:applications[0].chart.chart: "./charts/orders" ignores `serviceAccount.name`: its pods would run under the service account default and not as the application. Allowed: a chart whose pods run under orders. Write `serviceAccountName: {{ .Values.serviceAccount.name }}` into its pod templates.',
      'aks-workload-identity:applications[0].chart.chart: "./charts/orders" ignores `podLabels`: its pods would lack the label azure.workload.identity/use and get no token. Allowed: a chart that gives its pods these labels. Write `{{- toYaml .Values.podLabels | nindent 8 }}` into the labels of its pod templates.',
    ]);
  });

  it('that runs under its own service account is refused, with the name', async () => {
    expect(
      await problemsOf({ 'templates/in/a.yaml': pod('serviceAccountName: "runner"', takesLabels) }),
    ).toEqual([expect.stringContaining('would run under the service account runner and')]);
  });

  it.each<[string, Parameters<typeof problemsOf>]>([
    ['that takes the values', [{ 'templates/a.yaml': pod(takesAccount, takesLabels) }]],
    [
      'that takes them by a template of its own',
      [
        {
          'templates/a.yaml': pod(
            'serviceAccountName: {{ include "account" . }}',
            '{{ include "labels" . }}',
          ),
          'templates/_helpers.tpl': '{{ define "labels" }}{{ toYaml .Values.podLabels }}{{ end }}',
        },
      ],
    ],
    [
      'that names the account and the label itself',
      [{ 'templates/a.yaml': pod('serviceAccountName: orders', 'azure.workload.identity/use: "true"') }],
    ],
    [
      'that gets them in values of its own',
      [
        { 'templates/a.yaml': pod('{{ toYaml .Values.pod }}') },
        {},
        { pod: { serviceAccountName: 'orders', labels: { 'azure.workload.identity/use': 'true' } } },
      ],
    ],
    ['without pods', [{ 'templates/a.yaml': 'kind: ConfigMap' }]],
    [
      'with dependencies, whose templates may be theirs',
      [{ 'templates/a.yaml': pod(), 'Chart.yaml': 'name: orders\ndependencies: []' }],
    ],
    ['with charts in it', [{ 'templates/a.yaml': pod(), 'charts/lib/Chart.yaml': 'name: lib' }]],
    [
      'that needs no label, for a token with another audience',
      [{ 'templates/a.yaml': pod(takesAccount) }, { audience: 'api://AzureADTokenExchangeUSGov' }],
    ],
  ])('%s is accepted', async (_, [files, application, values]) => {
    expect(await problemsOf(files, application, values)).toEqual([]);
  });

  it("that needs no label is accepted where the environment's tokens have another audience", async () => {
    const environment = { audience: 'api://AzureADTokenExchangeUSGov' };
    expect(await problemsOf({ 'templates/a.yaml': pod(takesAccount) }, {}, undefined, environment)).toEqual(
      [],
    );
  });

  it.each(['reports', 'archive'])('is accepted, as the example %s', (name) => {
    const chart = { chart: `./${path.join('examples/charts', name)}` };
    expect(validate('test', input([{ name, chart }]), projectFiles(projectRoot))).toMatchObject({ ok: true });
  });
});
