export type { LocalClusterRuntime } from './runtime';
export { createClusterRuntime } from './runtime';
export { standardImages } from './images';
export { IMAGES_VARIABLE, readOwnImages } from './ownImages';
export { parseStartDelays, START_DELAYS_VARIABLE, startLate } from './startDelays';
