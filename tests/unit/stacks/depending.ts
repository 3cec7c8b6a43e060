import type { Input } from './settings';
import { application } from './settings';

// An application that depends on something, for the tests of dependencies.

export const files = { name: 'files', storageAccount: { name: 'stfiles' } };
export const depending = (dependencies: unknown[] = [files], more: Input = {}) =>
  application('orders', { dependencies, ...more });
