import { registryHost } from './registry';
import { repositories } from './repositories';

/** Public names under which charts are served. */
export const CHART_HOSTS: readonly string[] = [...repositories.map(({ host }) => host), registryHost];
