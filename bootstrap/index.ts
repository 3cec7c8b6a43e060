import { deployPipelineIdentities } from './program';

export = deployPipelineIdentities;
