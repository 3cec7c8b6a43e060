import { fieldsOf } from '../components/resource/fields';
import { parsedJson } from './json';

/**
 * Returns the claims of a token, without checking it; none if it is no JSON Web Token.
 * @param part 0 for its header
 */
export function claimsOf(token: string, part: 0 | 1 = 1): Readonly<Record<string, unknown>> {
  return fieldsOf(parsedJson(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8')));
}
