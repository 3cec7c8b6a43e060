/**
 * Seconds for what waits on access. Azure takes up to ten minutes until a new role assignment is seen everywhere (azure-docs
 * articles/role-based-access-control/troubleshooting), and what was refused until then tries again only after a pause.
 */
export const accessWithin = 20 * 60;

/** For messages of what had no access in that time. */
export const mayBeDelayed =
  'Where its logs say that access is refused, a role assignment may not have reached everything yet, which takes Azure up to 10 minutes and rarely longer: run the update again.';
