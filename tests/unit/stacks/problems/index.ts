import * as applications from './applications';
import * as cells from './cells';
import * as characters from './characters';
import * as clusters from './clusters';
import * as dependencies from './dependencies';
import * as hostedClusters from './hostedClusters';
import * as hyperShift from './hyperShift';
import * as identities from './identities';
import * as identityBindings from './identityBindings';
import * as releases from './releases';
import * as roles from './roles';
import * as secrets from './secrets';
import * as several from './several';
import * as shape from './shape';
import * as stackFiles from './stackFiles';
import type { Row, Subject } from './table';
import * as vaults from './vaults';

/** The table, by the names of its subjects. */
const subjects: Readonly<Record<string, Subject>> = {
  ...shape,
  ...characters,
  ...cells,
  ...clusters,
  ...identities,
  ...identityBindings,
  ...applications,
  ...vaults,
  ...secrets,
  ...roles,
  ...dependencies,
  ...hostedClusters,
  ...hyperShift,
  ...releases,
  ...several,
  ...stackFiles,
};

/** A row with its subject, and the name that it has in `problems.txt`. */
export interface Case {
  readonly name: string;
  readonly subject: Subject;
  readonly row: Row;
}

export const cases: readonly Case[] = Object.entries(subjects).flatMap(([name, subject]) =>
  Object.entries(subject.rows).map(([title, row]) => ({
    name: `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${title}`,
    subject,
    row,
  })),
);
