/** The nodes of a cluster that sets none. The commands read them without the SDK. */
export const defaultNodes = { count: 3, vmSize: 'Standard_D4ds_v5' } as const;
