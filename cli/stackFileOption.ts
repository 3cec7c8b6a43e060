import { Option } from 'commander';
import { UserError } from './userError';

/** Option that names the stack file. @param remark what the command needs it for, and the default */
export const stackFileOption = (remark = 'default: Pulumi.<stack>.yaml'): Option =>
  new Option('--stack-file, --file <file>', `stack file (${remark})`);

/** Error for the option without `--stack`, of which it is the file. */
export const fileWithoutStack = (hint: string): UserError =>
  new UserError('--file is the stack file of --stack, and no stack is named.', hint);
