// What of `stacks` runs without an engine and loads no provider: all that the project's command may import from here.

export { nearest } from './configuration/nearest';
export { projectFiles } from './configuration/projectFiles';
export {
  checkStackFile,
  formatPlaced,
  type PlacedProblem,
  type StackFileCheck,
} from './configuration/stackFile';
export { summarizeConfiguration } from './configuration/summary';
export { resourceManagers } from './environment/clouds';
export { digestOf } from './releases/digest';
export type { ReadFile } from './releases/file';
export { planPromotion } from './releases/promotion';
