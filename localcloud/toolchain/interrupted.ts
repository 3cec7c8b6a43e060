import { UserError } from '../userError';

/** The error of a build during which the user, or a signal, ended Go. */
export class Interrupted extends UserError {}
