/**
 * Seconds that a wait for access may take. Azure takes up to ten minutes until a new role assignment is effective everywhere
 * (azure-docs articles/role-based-access-control/troubleshooting), and a client that was refused retries only after a pause.
 */
export const accessWithin = 20 * 60;

/** For messages about pods that had no access within that time. */
export const mayBeDelayed =
  'If its logs say that access is refused, a role assignment may not have taken effect yet. Azure takes up to 10 minutes, rarely longer: run the update again.';
