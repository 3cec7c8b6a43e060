import { listAll } from '../../../reconciler/tokenEvents/kubernetes';

it('reads all pages of a list', async () => {
  const pages: Readonly<Record<string, object>> = {
    '/api/v1/pods?limit=500&labelSelector=x': { items: [1, 2], metadata: { continue: 'a b' } },
    '/api/v1/pods?limit=500&labelSelector=x&continue=a+b': { items: [3], metadata: { continue: '' } },
  };

  expect(await listAll((url) => Promise.resolve(JSON.stringify(pages[url])), '/api/v1/pods', 'x')).toEqual([
    1, 2, 3,
  ]);
});
