import * as pulumi from '@pulumi/pulumi';
import { readConfiguration } from './stacks/configuration';
import { encryptedKeys } from './stacks/encryptedKeys';
import { deployEnvironment } from './stacks/environment';

// Everything that is wrong with the configuration is reported before the first resource is registered.
export = () =>
  deployEnvironment(
    readConfiguration(pulumi.getStack(), pulumi.runtime.allConfig(), encryptedKeys(process.env)),
  );
