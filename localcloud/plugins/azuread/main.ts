import { serve } from '../protocol/serve';
import { createProvider } from './provider';

void serve(createProvider(process.env));
