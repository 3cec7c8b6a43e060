import { serve } from '../protocol';
import { createProvider } from './provider';

void serve(createProvider(process.env));
