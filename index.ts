import { deploy } from './stacks/program';

export = deploy;
