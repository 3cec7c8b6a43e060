import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReadFile } from '../../../stacks/settings/projectFiles';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { withProject } from '../cli/projectFolder';

/** A project with charts in it, beside it, and linked from beside it. */
const inProject = (use: (read: ReadFile) => void) =>
  withProject(
    { 'project/charts/in/Chart.yaml': 'in', 'project/packed.tgz': '', 'out/Chart.yaml': '' },
    (folder) => {
      mkdirSync(path.join(folder, 'project/empty'));
      symlinkSync('../../out', path.join(folder, 'project/charts/linked'));
      symlinkSync('in', path.join(folder, 'project/charts/alias'));
      writeFileSync(path.join(folder, 'orders.yaml'), 'name: orders');
      symlinkSync('../orders.yaml', path.join(folder, 'project/orders.yaml'));
      use(projectFiles(path.join(folder, 'project')));
    },
  );

describe('a file of the project', () => {
  it.each([
    'charts/in/Chart.yaml',
    './charts/in//Chart.yaml',
    './charts/alias/Chart.yaml',
    './charts/linked/../project/charts/in/Chart.yaml',
  ])('is in it: %s', (file) => inProject((read) => expect(read(file)).toBe('in')));

  it.each([
    './charts/none/Chart.yaml',
    './none.tgz',
    './empty',
    './packed.tgz/Chart.yaml',
    '../out/Chart.yaml',
    './charts/../../out/Chart.yaml',
    './charts/linked/Chart.yaml',
    './charts/linked/../project/charts/none/Chart.yaml',
    './orders.yaml',
  ])('is missing, not a file, or outside of it, also by a symbolic link: %s', (file) =>
    inProject((read) => expect(read(file)).toBeUndefined()),
  );
});
