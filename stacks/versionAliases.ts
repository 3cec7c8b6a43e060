import type * as pulumi from '@pulumi/pulumi';

/**
 * Leaves out the aliases for types with an API version, such as `azure-native:keyvault/v20230701:Secret`. The provider's package
 * gives each resource up to a hundred, for programs that once used such types. This program never did. The SDK computes a URN for
 * each, which takes a quarter of the program's time and more than a third of its memory.
 */
export const withoutVersionAliases: pulumi.ResourceTransformation = ({ props, opts }) => {
  const aliases = (opts.aliases ?? []) as readonly pulumi.Input<string | pulumi.Alias>[];
  const kept = aliases.filter((alias) => !isVersioned(alias));
  return kept.length === aliases.length ? undefined : { props, opts: { ...opts, aliases: kept } };
};

const isVersioned = (alias: pulumi.Input<string | pulumi.Alias>): boolean =>
  typeof alias === 'object' &&
  'type' in alias &&
  typeof alias.type === 'string' &&
  /^azure-native:\w+\/v\d/.test(alias.type);
