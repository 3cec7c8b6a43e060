import { Option } from 'commander';
import { integer } from './integer';

/** Option of the commands that deploy cells, or plan it. */
export function parallelOption(): Option {
  return new Option('--parallel <n>', 'number of cells that are deployed at the same time')
    .default(4)
    .argParser(integer);
}
