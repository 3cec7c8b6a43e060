import { setPages, UserError } from '../../../components/resource/errors';
import { packagedPages } from '../../../components/resource/pagesHere';

// The pages that messages of a program name. The test of the packages proves that they are there.

afterEach(() => {
  setPages('docs');
});

const text = 'See docs/clusters.md#external, or https://example.com/docs/clusters.md and docs/clusters.yaml.';

it('are those of the checkout by default', () => {
  expect(new UserError(text).message).toBe(text);
});

it('are in the package of the command in a repository that uses the packages', () => {
  setPages(packagedPages);
  expect(new UserError(text).message).toBe(
    'See node_modules/@aks-workload-identity/cli/docs/clusters.md#external, or https://example.com/docs/clusters.md and docs/clusters.yaml.',
  );
});
