export type { ClusterRuntimeOptions, ClusterStatus, LocalClusterRuntime } from './runtime';
export { createClusterRuntime, stopLeftoverClusters } from './runtime';
export type { ImageEntry, ImageTable, LaunchContext } from './imageTable';
export type { StandardImageOptions } from './images';
export { standardImages } from './images';
export { IMAGES_VARIABLE, readOwnImages } from './ownImages';
export { parseStartDelays, START_DELAYS_VARIABLE, startLate } from './startDelays';
export type { Logger } from '../logger';
