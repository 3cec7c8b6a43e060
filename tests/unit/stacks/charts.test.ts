import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { withProject } from '../cli/projectFolder';
import { validInput } from './settings';

/** Problems of a project with charts in it, beside it, and linked from beside it. */
function problemsIn(changes: Record<string, unknown>) {
  return withProject(
    { 'project/charts/in/Chart.yaml': '', 'project/packed.tgz': '', 'out/Chart.yaml': '' },
    (folder) => {
      mkdirSync(path.join(folder, 'project/empty'));
      symlinkSync('../../out', path.join(folder, 'project/charts/linked'));
      symlinkSync('in', path.join(folder, 'project/charts/alias'));
      writeFileSync(path.join(folder, 'orders.yaml'), 'name: orders');
      symlinkSync('../orders.yaml', path.join(folder, 'project/orders.yaml'));
      const input = validInput({ applications: [], secretValues: {}, ...changes });
      const validation = validate('test', input, projectFiles(path.join(folder, 'project')));
      return validation.ok ? [] : validation.problems.map(formatProblem);
    },
  );
}

const ofApplication = (chart: string) => ({ applications: [{ name: 'a', chart: { chart } }] });
const rest =
  'is no chart of the project. Allowed: a folder with a Chart.yaml or a packed chart, in the project; a symbolic link may not lead out of it. Put it there, or correct this path, which is relative to the project.';

describe('a chart of a path', () => {
  it.each([
    './charts/in',
    './charts/linked/../project/charts/in',
    'charts/in/',
    './packed.tgz',
    './charts/alias',
  ])('is in the project: %s', async (chart) => {
    expect(await problemsIn(ofApplication(chart))).toEqual([]);
  });

  it.each([
    './charts/none',
    './none.tgz',
    './empty',
    '../out',
    './charts/../../out',
    './charts/linked',
    './charts/linked/../project/charts/none',
    './.state/x.tgz',
  ])('that is not there or not in the project is refused before anything is made: %s', async (chart) => {
    expect(await problemsIn(ofApplication(chart))).toEqual([
      `aks-workload-identity:applications[0].chart.chart: ${JSON.stringify(chart)} ${rest}`,
    ]);
  });

  it.each(['certManager', 'serviceOperator', 'workloadIdentityWebhook'])(
    'of the platform is in the project too, or is made in the state folder: %s',
    async (key) => {
      for (const chart of ['./charts/linked', '../out', './.state/x.tgz'])
        expect(await problemsIn({ [key]: { chart } })).toEqual([
          `aks-workload-identity:${key}.chart: ${JSON.stringify(chart)} ${rest}`,
        ]);
      expect(await problemsIn({ [key]: { chart: './.state/charts/x.tgz' } })).toEqual([]);
      expect(await problemsIn({ [key]: { chart: './../elsewhere/state/charts/x.tgz' } })).toEqual([]);
    },
  );
});

describe('a release file', () => {
  it('is in the project, also behind a symbolic link', async () => {
    expect(await problemsIn({ applications: [{ name: 'orders', release: './orders.yaml' }] })).toEqual([
      'aks-workload-identity:applications[0].release: "./orders.yaml" is no file of the project. Write it, or correct this path, which is relative to the project.',
    ]);
  });
});
