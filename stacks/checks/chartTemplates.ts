import { signInLabels } from '../../components/application/signIn';
import { useLabel } from '../../components/identity/signIn';
import { defaultAudience } from '../../components/identity/subjects';
import { serviceAccountNames, storedCredentialOf } from '../plan';
import { isInProject } from '../plan/chartSource';
import type { PlacedApplication } from './context';
import type { Problem } from '../settings/problem';
import type { ReadFile } from '../settings/projectFiles';

type OfChart = Extract<PlacedApplication, { readonly chart: object }>;

const comments = /\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}|(?<=^|\s)#.*$/gm;

/**
 * Yields problems of a chart in a folder of the project whose templates ignore the identity values, so that its pods cannot
 * sign in. The chart is read, not rendered. Whatever may be right passes, including what other templates insert; the
 * verification checks the pods. Packed charts are skipped, and so are charts with dependencies, which may have the pod
 * templates.
 */
export function* ignoredIdentityValues(
  application: OfChart,
  audience: string,
  readFile: ReadFile | undefined,
): Generator<Problem> {
  const { chart, values } = application.chart;
  if (!isInProject(chart)) return;
  const read = (file: string) => readFile?.(`${chart}/${file}`)?.replaceAll(comments, '') ?? '';
  const filesIn = (folder: string) => readFile?.filesIn?.(`${chart}/${folder}`) ?? [];
  const templates = filesIn('templates')
    .map((file) => read(`templates/${file}`))
    .join('\n');
  const hasOthers = /^dependencies:/m.test(read('Chart.yaml') + read('requirements.yaml'));
  if (hasOthers || filesIn('charts').length > 0 || !/\bcontainers:/.test(templates)) return;
  const allValues = JSON.stringify([values, application.overrides]) + read('values.yaml');
  const path = [...application.path, 'chart', 'chart'];

  const accounts = serviceAccountNames(application);
  const named = [...templates.matchAll(/\bserviceAccount(?:Name)?: *(.*)$/gm)].map(([, name = '']) =>
    name.trim().replaceAll(/^["']|["']$/g, ''),
  );
  const mayRunAs = (name: string) => !/^[a-z0-9.-]+$/.test(name) || accounts.includes(name);
  if (!named.some(mayRunAs) && !allValues.includes('serviceAccountName'))
    yield {
      path,
      what: `ignores \`serviceAccount.name\`: its pods would run under the service account ${named[0] ?? 'default'} and not as the application`,
      allowed: `a chart whose pods run under ${accounts.join(' or ')}`,
      hint: 'Write `serviceAccountName: {{ .Values.serviceAccount.name }}` into its pod templates.',
    };

  const label = labelOf(application, audience);
  if (
    label !== undefined &&
    ![templates, allValues].join('\n').includes(label) &&
    !templates.includes('podLabels')
  )
    yield {
      path,
      what: `ignores \`podLabels\`: its pods would lack the label ${label} and get no token`,
      allowed: 'a chart that gives its pods these labels',
      hint: 'Write `{{- toYaml .Values.podLabels | nindent 8 }}` into the labels of its pod templates.',
    };
}

/** Returns the label that pods need to get a token, or undefined if they need none. */
function labelOf({ name, signIn, identity }: OfChart, audience: string): string | undefined {
  const credential = storedCredentialOf(identity);
  const [label] = Object.keys(signInLabels({ application: name, signIn, credential }));
  // With another audience, the chart may mount a token itself.
  return label === useLabel && audience !== defaultAudience ? undefined : label;
}
