/** The tenant of the local cloud. */
export const TENANT_ID = '11111111-1111-4111-8111-111111111111';

/** The default subscription of the local cloud. */
export const SUBSCRIPTION_ID = '22222222-2222-4222-8222-222222222222';

/** A second subscription of the same tenant, for resources that subscriptions share. */
export const OTHER_SUBSCRIPTION_ID = '55555555-5555-4555-8555-555555555555';

/** Client id of the administrator: a service principal that is Owner of both subscriptions. */
export const ADMINISTRATOR_CLIENT_ID = '33333333-3333-4333-8333-333333333333';

/** Object id of the administrator's service principal. */
export const ADMINISTRATOR_OBJECT_ID = '44444444-4444-4444-8444-444444444444';
