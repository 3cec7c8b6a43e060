import { ArmError } from './errors';

/** A tag without quotes and without the prefix of a weak tag (RFC 9110, section 8.8.3). */
const bare = (tag: string): string => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '');

const failed = (message: string): ArmError => new ArmError(412, 'PreconditionFailed', message);

/**
 * Refuses a write whose If-Match or If-None-Match does not hold. Source: MicrosoftDocs/azure-aks-docs
 * `articles/aks/use-etags.md` (If-None-Match can only be `*`).
 *
 * @param current tag of the existing resource; undefined if there is none
 */
export function checkPreconditions(
  headers: Record<string, string | undefined>,
  resource: string,
  current: string | undefined,
): void {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== '') {
    if (current === undefined) {
      throw failed(`The request has the header If-Match '${ifMatch}', but ${resource} does not exist.`);
    }
    const tags = ifMatch.split(',').map(bare);
    if (!tags.includes('*') && !tags.includes(current)) {
      throw failed(
        `The eTag '${ifMatch}' of the header If-Match does not match that of ${resource}, '${current}': it was changed meanwhile. Read it again.`,
      );
    }
  }
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined || ifNoneMatch === '') return;
  if (bare(ifNoneMatch) !== '*') {
    throw new ArmError(
      400,
      'InvalidHeaderValue',
      `The header If-None-Match is '${ifNoneMatch}'; only '*' is allowed.`,
    );
  }
  if (current !== undefined)
    throw failed(`The request has the header If-None-Match '*', but ${resource} exists.`);
}
