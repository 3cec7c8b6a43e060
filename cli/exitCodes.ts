const done = 0;
const failed = 1;

/** Exit codes of each command, as in docs/commands.md. The others end with 0, with 1 for an error, or as the program that they run. */
export const exitCodes = {
  'every command': { done, failed },
  doctor: { done, failed },
  validate: { done, failed },
  verify: { done, failed },
  access: { done, found: 2 },
  drift: { done, found: 2 },
  revoke: { done, failed },
  'hosted-clusters': { done, failed },
  'fleet plan': { done, failed },
  'fleet up': { done, failed },
  'fleet status': { done, failed },
  'azure-run': { done, failed, differences: 2, interrupted: 130 },
  'pipeline cell': {
    /** Deployed and verified. */
    done,
    /** The update failed, or the verification could not be done; running it again continues. */
    failed,
    /** Deployed, but the verification failed. */
    notVerified: 3,
    /** Settings, policies or the preflight refused the update; nothing was changed. */
    refused: 4,
    /** Another update of the stack is running. */
    locked: 5,
  },
} as const;
