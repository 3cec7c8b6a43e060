import type { ComponentResourceOptions } from '@pulumi/pulumi';
import { ComponentResource } from '@pulumi/pulumi';
import { componentProviderHost } from '@pulumi/pulumi/provider/experimental';
import * as exported from './index';

type Component = new (name: string, args: object, opts?: ComponentResourceOptions) => ComponentResource;

function isComponent(value: unknown): value is Component {
  return typeof value === 'function' && value.prototype instanceof ComponentResource;
}

void componentProviderHost({
  name: 'aks-workload-identity',
  components: Object.values<unknown>(exported).filter(isComponent),
  dirname: __dirname,
});
