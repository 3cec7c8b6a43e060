import { version } from '@pulumi/kubernetes/package.json';
import { serve } from '../protocol';
import { KubernetesProvider } from './provider';

// The engine looks for a plugin with the npm package's version.
void serve(new KubernetesProvider(version));
