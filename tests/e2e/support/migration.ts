/** The output of `aks-wi migrate --json`. */
export interface Migration {
  done: boolean;
  workloads: {
    namespace: string;
    name: string;
    application?: string;
    identity: string;
    progress: { prepared: boolean; switched: boolean; ready: boolean };
  }[];
  obstacles: unknown[];
  next: string[];
}

/** Returns each workload's progress: its application in the stack, and whether it is prepared, switched and ready. */
export const stepsOf = ({ workloads }: Migration): Record<string, readonly unknown[]> =>
  Object.fromEntries(
    workloads.map(({ namespace, name, application = '', progress: { prepared, switched, ready } }) => [
      `${namespace}/${name}`,
      [application, prepared, switched, ready],
    ]),
  );
