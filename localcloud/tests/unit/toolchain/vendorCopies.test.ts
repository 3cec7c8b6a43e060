import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { keepFunctions, prepareVendorCopies } from '../../../toolchain/vendorCopies';
import { Workshop, failureOf } from './workshop';

// What these do not prove: that the copies compile, which the build for tests does.

const release = 'example.com/vendor';
const vendor = {
  'support/class/class.go': `package class

import (
	"fmt"

	"${release}/api"
	"${release}/support/user"
)

var text = fmt.Sprint(user.Name(), api.Kind)
`,
  'support/user/user.go': `// Package user says who reads.
package user

import (
	"os"
	"strings"

	network "example.com/network/v5"
	"${release}/support/class"
)

// Name is read from the environment.
func Name() string {
	return os.Getenv("NAME")
}

func Network() network.Client {
	return strings.ToUpper(class.Text)
}
`,
};

let workshop: Workshop;
beforeEach(async () => {
  workshop = await Workshop.open();
  const ours = path.join(workshop.root, 'ours');
  await mkdir(path.join(ours, 'operator'), { recursive: true });
  await writeFile(path.join(ours, 'go.mod'), 'module localcloud/ours\n');
  await writeFile(path.join(ours, 'operator', 'main.go'), 'package main\n');
  for (const [file, text] of Object.entries(vendor)) {
    const target = path.join(workshop.root, 'vendor', file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
});
afterEach(() => workshop.close());

const prepare = (copies: Parameters<typeof prepareVendorCopies>[0]['copies']) =>
  prepareVendorCopies({
    ...{ ours: path.join(workshop.root, 'ours'), from: path.join(workshop.root, 'vendor') },
    ...{ release, copies, into: path.join(workshop.root, 'into') },
  });
const prepared = (file: string) => readFile(path.join(workshop.root, 'into', file), 'utf8');

it('copies lie beside our sources, and import each other', async () => {
  await prepare([{ file: 'support/class/class.go' }, { file: 'support/user/user.go', functions: ['Name'] }]);

  expect(await prepared('operator/main.go')).toBe('package main\n');
  expect(await prepared('support/class/class.go')).toBe(
    vendor['support/class/class.go'].replace(`${release}/support/user`, 'localcloud/ours/support/user'),
  );
  expect(await prepared('support/user/user.go')).toBe(`// Package user says who reads.
package user

import (
	"os"
)

// Name is read from the environment.
func Name() string {
	return os.Getenv("NAME")
}
`);
});

it('a function keeps the imports that it uses, by the names that they have', () => {
  const kept = keepFunctions('user.go', vendor['support/user/user.go'], ['Network']);

  expect([...kept.matchAll(/^\t(?:\w+ )?"(.*)"$/gm)].map(([, imported]) => imported)).toEqual([
    'strings',
    'example.com/network/v5',
    `${release}/support/class`,
  ]);
});

it('a file or a function that the vendor no longer has is named', async () => {
  await rm(path.join(workshop.root, 'vendor', 'support/class/class.go'));
  const gone = await failureOf(prepare([{ file: 'support/class/class.go' }]));
  expect(gone.message).toContain(`${release} has no file support/class/class.go.`);

  const renamed = await failureOf(prepare([{ file: 'support/user/user.go', functions: ['Reader'] }]));
  expect(renamed.message).toContain(`${release}/support/user/user.go has no function Reader.`);
});
