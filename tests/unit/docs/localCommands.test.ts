import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commands } from '../../../cli/localProduct';

it('the page on the local cloud names each command that chooses between it and Azure', () => {
  const page = readFileSync(path.join(__dirname, '../../../docs/local-cloud.md'), 'utf8');
  const [, named = ''] = /^The commands ([^.]*?)\s+use the local cloud/m.exec(page) ?? [];
  expect(named.match(/[a-z-]+(?=`)/g)).toEqual(Object.keys(commands));
});
