import { ComponentResource } from '@pulumi/pulumi';
import { main, type Provider } from '@pulumi/pulumi/provider';
import { ComponentProvider } from '@pulumi/pulumi/provider/experimental';
import * as exported from './index';
import { SchemaProvider, type Component } from './schemaProvider';

/** Serves the components with the schema that Pulumi derives from the sources. */
class SourceProvider extends ComponentProvider {
  override async getSchema(): Promise<string> {
    const schema = JSON.parse(await super.getSchema()) as { language: { go: object } };
    // By default, the SDK for Go lacks the argument types of objects that occur only in plain lists, and does not compile.
    schema.language.go = { ...schema.language.go, generateExtraInputTypes: true };
    return JSON.stringify(schema);
  }
}

function isComponent(value: unknown): value is Component {
  return typeof value === 'function' && value.prototype instanceof ComponentResource;
}

const components = Object.values<unknown>(exported).filter(isComponent);
const provider: Provider = __filename.endsWith('.ts')
  ? new SourceProvider({ name: 'aks-workload-identity', components, dirname: __dirname })
  : new SchemaProvider(components);
void main(provider, process.argv.slice(2));
