import type { CloudReply, CloudRequest, CloudService } from '../azure/server/exchange';
import { CHART_HOSTS } from '../azure/server/hosts';
import type { ChartFolders } from './library';
import { ChartLibrary } from './library';
import { answerRegistry } from './registry';
import { answerRepository, text } from './repositories';

export type { ChartFolders } from './library';

/**
 * Serves the vendors' charts under the names of their repositories and of a registry, so that stack files with
 * these names work unchanged.
 */
export class ChartsService implements CloudService {
  private readonly library: ChartLibrary;

  constructor(folders: ChartFolders) {
    this.library = new ChartLibrary(folders);
  }

  async handle({ method, host, segments }: CloudRequest): Promise<CloudReply> {
    if (host === CHART_HOSTS.registry) return answerRegistry(method, segments, this.library);
    if (method !== 'GET' && method !== 'HEAD') return this.fault(405, 'MethodNotAllowed', method);
    return answerRepository(host, segments.join('/'), this.library);
  }

  fault(status: number, code: string, message: string): CloudReply {
    return text(status, `${code}: ${message}`);
  }
}
