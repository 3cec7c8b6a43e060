import { Option } from 'commander';

/** Option that names the stack file. @param remark what the command needs it for, and the default */
export const stackFileOption = (remark = 'default: Pulumi.<stack>.yaml'): Option =>
  new Option('--stack-file, --file <file>', `stack file (${remark})`);
