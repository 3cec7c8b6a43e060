import { fieldsOf, stackTag } from '../../stacks/offline';
import type { Rule } from './rule';

/** Rules on what the whole environment has. */
export const environmentRules: readonly Rule[] = [
  {
    name: 'tags',
    description: `Resources say which stack made them (${stackTag}), by which leftovers are found, and have the tags that the settings require.`,
    types: [
      'azure-native:containerservice:ManagedCluster',
      'azure-native:keyvault:Vault',
      'azure-native:managedidentity:UserAssignedIdentity',
      'azure-native:operationalinsights:Workspace',
      'azure-native:resources:ResourceGroup',
    ],
    check({ properties: { tags } }, { isBootstrap, requiredTags }) {
      // Its leftovers are looked for by nobody.
      if (isBootstrap) return [];
      // Azure does not tell names of tags apart by case.
      const names = Object.keys(fieldsOf(tags)).map((name) => name.toLowerCase());
      return [stackTag, ...requiredTags]
        .filter((name) => !names.includes(name.toLowerCase()))
        .map((name) => `The tag ${name} is missing. Add it to \`tags\`.`);
    },
  },
];
