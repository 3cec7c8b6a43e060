import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cases } from '.';
import { casesIn, textOfCases } from '../../goldens/cases';
import { update } from '../../goldens/files';
import { problemsOf, starts } from './table';

// Every rule on a stack file, each in one row: the row names the places of the problems, and problems.txt has their
// messages. `npm run goldens` writes that file, for review.

const file = path.join(__dirname, 'problems.txt');
const found = cases.map((example) => ({ ...example, lines: problemsOf(example.subject, example.row) }));
const refused = found.filter(({ lines }) => lines.length > 0);

if (update) writeFileSync(file, textOfCases(refused.map(({ name, lines }) => [name, lines])));

const text = readFileSync(file, 'utf8');
const reviewed = casesIn(text);

describe('a stack file with', () => {
  it.each(found)('$name', ({ name, row: { places }, lines }) => {
    // A line at the expected place is shown as that place, any other as itself.
    const atPlaces = lines.map((line, index) => {
      const place = places[index] ?? '';
      return starts(place).some((start) => line.startsWith(start)) ? place : line;
    });

    expect(atPlaces).toEqual(places);
    expect(lines).toEqual(reviewed.get(name) ?? []);
  });
});

describe('the reviewed problems', () => {
  it('are those of the rows, in their order, and of nothing else', () => {
    expect([...reviewed.keys()]).toEqual(refused.map(({ name }) => name));
  });

  it('show no secret', () => {
    expect(text).not.toMatch(/hunter2|12345/);
  });
});
