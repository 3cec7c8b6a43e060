import type { Context, OperationOptions, Properties } from '../protocol';

/** The operations on a resource of a type. */
export interface Lifecycle {
  create(
    inputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ id: string; state: Properties }>;
  read(
    id: string,
    state: Properties,
    inputs: Properties,
    context: Context,
  ): Promise<{ id: string; state: Properties; inputs: Properties } | undefined>;
  update(
    id: string,
    oldState: Properties,
    news: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ state: Properties }>;
  delete(id: string, state: Properties, options: OperationOptions, context: Context): Promise<void>;
}
