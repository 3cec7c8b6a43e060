import { access } from './changes/access';
import { applications } from './changes/applications';
import { dependencies } from './changes/dependencies';
import { environments } from './changes/environments';
import { hostedClusters } from './changes/hostedClusters';

/** The changes of examples that matter. */
export const variants = [...environments, ...applications, ...dependencies, ...access, ...hostedClusters];
