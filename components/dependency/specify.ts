import { identity } from './identity';
import { postgresql } from './postgresql';
import { redis } from './redis';
import { resource } from './resource';
import type { DependencyService } from './service';
import { serviceBus } from './serviceBus';
import type { DependencyContext, Specification } from './specification';
import { storageAccount } from './storageAccount';
import { vault } from './vault';

/** What a service is as custom resources of the operator. */
export function specify(service: DependencyService, context: DependencyContext): Specification {
  switch (service.kind) {
    case 'storageAccount':
      return storageAccount(service, context);
    case 'postgresql':
      return postgresql(service, context);
    case 'redis':
      return redis(service, context);
    case 'serviceBus':
      return serviceBus(service, context);
    case 'identity':
      return identity(service, context);
    case 'vault':
      return vault(service, context);
    case 'resource':
      return resource(service, context);
  }
}
