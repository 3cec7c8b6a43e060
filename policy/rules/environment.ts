import { fieldsOf } from '../../components/resource/fields';
import { stackTag } from '../../stacks/settings/schema/fields';
import type { Rule } from './rule';

/** Rules on all resources of an environment. */
export const environmentRules: readonly Rule[] = [
  {
    name: 'tags',
    description: `Resources have the tag of the stack that created them (${stackTag}), which finds orphans, and the tags that the settings require.`,
    types: [
      'azure-native:containerservice:ManagedCluster',
      'azure-native:keyvault:Vault',
      'azure-native:managedidentity:UserAssignedIdentity',
      'azure-native:operationalinsights:Workspace',
      'azure-native:resources:ResourceGroup',
    ],
    check({ properties: { tags } }, { isBootstrap, requiredTags }) {
      // No command searches for its orphans.
      if (isBootstrap) return [];
      // Azure treats the names of tags as case-insensitive.
      const names = Object.keys(fieldsOf(tags)).map((name) => name.toLowerCase());
      return [stackTag, ...requiredTags]
        .filter((name) => !names.includes(name.toLowerCase()))
        .map((name) => `The tag ${name} is missing. Add it to \`tags\`.`);
    },
  },
];
