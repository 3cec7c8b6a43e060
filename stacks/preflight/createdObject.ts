import type { ObjectReference } from '../../components/waiting/cluster';
import type { Path } from '../settings/problem';

/** An object that the stack creates in a cluster, where others may have created one with the same name. */
export interface CreatedObject {
  readonly reference: ObjectReference;
  /** Path of the setting that names it. */
  readonly path: Path;
  /** Hint if the object belongs to others. */
  readonly hint: string;
}
