import { version } from '@pulumi/kubernetes/package.json';
import { serve } from '../protocol/serve';
import { KubernetesProvider } from './provider';

// The plugin has the npm package's version, because the engine looks for that version.
void serve(new KubernetesProvider(version));
