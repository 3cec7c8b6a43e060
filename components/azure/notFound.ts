import { messageOf } from '../resource/errors';

/** Whether an error of azure-native says that nothing has the name. */
export function isNotFound(error: unknown): boolean {
  const message = messageOf(error);
  // `az`, by which the provider may sign in, is a program that can be missing as well.
  if (/executable file not found/i.test(message)) return false;
  return /not ?found|could not be found|status=404|http 404|doesn't exist/i.test(message);
}

/** Whether Azure answers that there is none. Any other error counts as unknown: the identity that deploys may not be allowed to read. */
export function isMissing(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(() => false, isNotFound);
}
