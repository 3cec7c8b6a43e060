import { InvalidArgumentError } from 'commander';

/** Parses an option that is an integer, 1 or more. */
export function integer(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError('Expected an integer, 1 or more.');
  return Number(text);
}
