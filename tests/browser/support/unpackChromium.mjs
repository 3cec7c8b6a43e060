// Unpacks the Chromium of @sparticuz/chromium, its font and the libraries that a machine may lack. They go to the folder
// for temporary files, which the package takes from the environment of its process.
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const archives = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
for (const name of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'])
  await inflate(fileURLToPath(new URL(name, archives)));
