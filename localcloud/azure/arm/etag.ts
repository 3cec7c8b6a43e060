import { ArmError } from './errors';

/** As a header has it, with or without quotes and the mark of a weak tag (RFC 9110, section 8.8.3). */
const bare = (tag: string): string => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '');

const failed = (message: string): ArmError => new ArmError(412, 'PreconditionFailed', message);

/**
 * Refuses a write whose condition does not hold for what is there.
 * Source: MicrosoftDocs/azure-aks-docs `articles/aks/use-etags.md` (If-None-Match can only be `*`).
 * @param current the resource's tag; undefined if there is no such resource
 */
export function checkPreconditions(
  headers: Record<string, string | undefined>,
  what: string,
  current: string | undefined,
): void {
  const wanted = headers['if-match'];
  if (wanted !== undefined && wanted !== '') {
    if (current === undefined) {
      throw failed(`The header If-Match '${wanted}' was given, and ${what} does not exist.`);
    }
    const tags = wanted.split(',').map(bare);
    if (!tags.includes('*') && !tags.includes(current)) {
      throw failed(
        `The eTag '${wanted}' of the header If-Match does not match that of ${what}, '${current}': it was changed meanwhile. Read it again.`,
      );
    }
  }
  const unwanted = headers['if-none-match'];
  if (unwanted === undefined || unwanted === '') return;
  if (bare(unwanted) !== '*') {
    throw new ArmError(
      400,
      'InvalidHeaderValue',
      `The header If-None-Match is '${unwanted}'; only '*' is allowed.`,
    );
  }
  if (current !== undefined) throw failed(`The header If-None-Match '*' was given, and ${what} exists.`);
}
