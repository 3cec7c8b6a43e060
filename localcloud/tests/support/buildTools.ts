// Builds the programs that the tests start, before tests with time limits do.
import { openInstanceToolchain } from '../../commands/context';
import { buildToolchain } from '../../commands/toolchainBuild';
import { locateInstance } from '../../daemon/instance';
import { installation } from '../../project';

void buildToolchain(openInstanceToolchain(locateInstance(installation)), { tests: true });
