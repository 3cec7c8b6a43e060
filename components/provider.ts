import { ComponentResource } from '@pulumi/pulumi';
import { main } from '@pulumi/pulumi/provider';
import { componentProviderHost } from '@pulumi/pulumi/provider/experimental';
import * as exported from './index';
import { SchemaProvider, type Component } from './schemaProvider';

function isComponent(value: unknown): value is Component {
  return typeof value === 'function' && value.prototype instanceof ComponentResource;
}

const components = Object.values<unknown>(exported).filter(isComponent);

if (__filename.endsWith('.ts'))
  void componentProviderHost({ name: 'aks-workload-identity', components, dirname: __dirname });
else void main(new SchemaProvider(components), process.argv.slice(2));
