import { identity } from './identity';
import { postgresql } from './postgresql';
import { redis } from './redis';
import { resource } from './resource';
import type { DependencyService } from './service';
import { serviceBus } from './serviceBus';
import type { DependencyPlace, Specification } from './specification';
import { storageAccount } from './storageAccount';
import { vault } from './vault';

/** What a service is as custom resources of the operator. */
export function specify(service: DependencyService, place: DependencyPlace): Specification {
  switch (service.kind) {
    case 'storageAccount':
      return storageAccount(service, place);
    case 'postgresql':
      return postgresql(service, place);
    case 'redis':
      return redis(service, place);
    case 'serviceBus':
      return serviceBus(service, place);
    case 'identity':
      return identity(service, place);
    case 'vault':
      return vault(service, place);
    case 'resource':
      return resource(service, place);
  }
}
