// Refuses a release whose tag, versions and changelog disagree: `node packaging/release.mjs TAG [folder]`. Prints the
// changelog of the version otherwise, as the notes of the release.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './manifest.mjs';

/** Files that state the version of the project, which is that of the first. */
const versioned = [
  'package.json',
  'package-lock.json',
  'cli/package.json',
  'components/package.json',
  'components/schema.json',
  'localcloud/package.json',
  'policy/package.json',
  'stacks/package.json',
];

const heading = /^## \[(.+?)\](?: - (\S+))?$/;

/** Returns the versions of a changelog, the newest first: number, date and text. */
function versionsIn(changelog) {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  return sections.flatMap((section) => {
    const [first, ...lines] = section.split('\n');
    const [, number, date] = heading.exec(first) ?? [];
    return number === undefined ? [] : [{ number, date, text: lines.join('\n').trim() }];
  });
}

/** Returns the notes of a release, and what speaks against it. */
async function releaseOf(folder, tag) {
  const read = (file) => readFile(path.join(folder, file), 'utf8');
  const versions = await Promise.all(versioned.map(async (file) => JSON.parse(await read(file)).version));
  const [version] = versions;
  const [unreleased, newest] = versionsIn(await read('CHANGELOG.md'));
  const problems = versioned.flatMap((file, index) =>
    versions[index] === version
      ? []
      : [`${file} has the version ${versions[index]}, package.json ${version}.`],
  );
  if (tag !== `v${version}`) problems.push(`The tag ${tag} is not v${version}, the version in package.json.`);
  if (unreleased?.number !== 'Unreleased' || newest?.number !== version)
    problems.push(`CHANGELOG.md must have [Unreleased] first, and then [${version}].`);
  else {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(newest.date)) problems.push(`CHANGELOG.md has no date for [${version}].`);
    if (newest.text === '') problems.push(`CHANGELOG.md says nothing of [${version}].`);
    if (unreleased.text !== '')
      problems.push(`CHANGELOG.md still has changes in [Unreleased]: move them to [${version}].`);
  }
  return { notes: newest?.text, problems };
}

const [, , tag, folder = root] = process.argv;
const { notes, problems } = await releaseOf(folder, tag);
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(notes);
else process.exitCode = 1;
