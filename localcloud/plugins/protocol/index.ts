export * from './values';
export type * from './provider';
export { PartialFailure, Unsupported } from './errors';
