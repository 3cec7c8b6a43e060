/** Smallest and greatest values that Azure, Kubernetes and the components accept, by name of the argument. */
export const limits = {
  capacity: [0, 6],
  count: [1, 1000],
  intervalSeconds: [5, 60],
  /** Sizes of a Premium cache (azure-docs azure-cache-for-redis/cache-overview). */
  premiumCapacity: [1, 5],
  port: [1, 65535],
  replicas: [0, 1000],
  retentionInDays: [30, 730],
  softDeleteRetentionInDays: [7, 90],
} as const;
