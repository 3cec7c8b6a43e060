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
export { project } from './configuration/problem';
export { resourceManagers } from './environment/clouds';
export { stackTag, stackTagValue } from './environment/tags';
export { digestOf } from './releases/digest';
export type { ReadFile } from './releases/file';
export { planPromotion } from './releases/promotion';
