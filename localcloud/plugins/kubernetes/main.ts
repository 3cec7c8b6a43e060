import { version } from '@pulumi/kubernetes/package.json';
import { serve } from '../protocol';
import { KubernetesProvider } from './provider';

// The engine starts the plugin that the npm package asks for, so the two versions are one.
void serve(new KubernetesProvider(version));
