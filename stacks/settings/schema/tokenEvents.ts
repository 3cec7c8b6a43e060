import { object, reconcilerFields } from './fields';

/** Settings of the writer of aad-pod-identity's token events. */
export const tokenEvents = object(
  'The program that records an event on the binding for the tokens that aad-pod-identity issues, on each cluster with `podIdentity`.',
  reconcilerFields("Seconds between two reads of its node component's log: the longest delay of an event."),
).optional();
