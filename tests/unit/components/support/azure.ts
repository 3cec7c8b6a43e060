import { ids } from '../../../../stacks/dryRun/azure';

export { azure, guidOf, ids } from '../../../../stacks/dryRun/azure';

export const group = `/subscriptions/${ids.subscription}/resourceGroups/rg`;
