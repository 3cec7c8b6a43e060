import { messageOf } from '../resource/errors';

/** Tells whether an error of azure-native means that the resource does not exist. */
export function isNotFound(error: unknown): boolean {
  const message = messageOf(error);
  // The provider may sign in with `az`, a program that can itself be missing.
  if (/executable file not found/i.test(message)) return false;
  return /not ?found|could not be found|status=404|http 404|doesn't exist/i.test(message);
}

/**
 * Tells whether Azure answers that the resource does not exist. Any other error counts as unknown, because the deploying
 * identity may lack permission to read.
 */
export function isMissing(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(() => false, isNotFound);
}
