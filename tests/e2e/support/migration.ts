/** What `aks-wi migrate --json` says. */
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

/** How far each workload is: its application in the stack, and what is prepared, switched, ready. */
export const stepsOf = ({ workloads }: Migration): Record<string, readonly unknown[]> =>
  Object.fromEntries(
    workloads.map(({ namespace, name, application = '', progress: { prepared, switched, ready } }) => [
      `${namespace}/${name}`,
      [application, prepared, switched, ready],
    ]),
  );
