import { UserError } from '../components/resource/errors';
import type { Problem } from './settings/problem';
import { formatProblem } from './settings/problem';

/** All problems of a stack's configuration. */
export class InvalidConfigurationError extends UserError {
  constructor(
    environment: string,
    readonly problems: readonly Problem[],
    /** The part that was not checked, as a sentence. */
    unchecked?: string,
  ) {
    const count = problems.length === 1 ? '1 error' : `${problems.length} errors`;
    const lines = problems.map((problem) => `  ${formatProblem(problem)}`);
    const subject = problems.some(({ file }) => file !== undefined)
      ? `Pulumi.${environment}.yaml, with the files that it names,`
      : `Pulumi.${environment}.yaml`;
    super(
      `${subject} has ${count}; nothing was changed.\n\n${[...lines, ...(unchecked === undefined ? [] : ['', unchecked])].join('\n')}\n`,
    );
  }
}
