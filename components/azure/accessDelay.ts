/**
 * Maximum wait for access, in seconds. Azure takes up to ten minutes until a new role assignment is effective everywhere
 * (azure-docs articles/role-based-access-control/troubleshooting), and a client that was refused retries only after a
 * pause.
 */
export const accessWithin = 20 * 60;

/** Hint for messages about pods without access after that time. */
export const mayBeDelayed =
  'If its logs say that access is refused, a role assignment may not have taken effect yet. Azure takes up to 10 minutes, rarely longer: run the update again.';
