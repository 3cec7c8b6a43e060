import type { Product } from '../../commands/product';

/** A product with the commands that the tests of the local cloud name. */
export const product: Product = {
  commands: {
    verify: {},
    import: { writes: true },
    access: { stack: (args, optionOf) => optionOf(args, '--deployed-stack') },
    promote: { stack: (args, optionOf) => optionOf(args, '--from') },
  },
  showPulumi: [],
  usesRareTools: () => false,
  onlyAdvises: () => false,
  secretNames: () => [],
  errors: {
    invalid: /Pulumi\.local\.yaml is invalid/,
    exists: /exists in Azure, and the stack would create it/,
    policies: 'add an exception',
  },
  nextCommands: [],
  exampleChange: 'remove something',
};
