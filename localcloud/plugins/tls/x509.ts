// Dependencies of the library need this polyfill before they load.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { cryptoProvider } from '@peculiar/x509';

cryptoProvider.set(webcrypto);

export * from '@peculiar/x509';
