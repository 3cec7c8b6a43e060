import { registryHost } from './registry';
import { repositories } from './repositories';

/** Public host names of the chart repositories and the registry. */
export const CHART_HOSTS: readonly string[] = [...repositories.map(({ host }) => host), registryHost];
