import { InvalidArgumentError } from 'commander';

/** Returns the parser of an option that is an integer of at least `least`. */
export function integer(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least)
      throw new InvalidArgumentError(`Expected an integer, ${least} or more.`);
    return number;
  };
}
