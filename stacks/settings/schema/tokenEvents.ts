import { object, reconcilerFields } from './fields';

/** Settings of the writer of aad-pod-identity's token events. */
export const tokenEvents = object(
  'The program that writes an event at the binding for the tokens that aad-pod-identity gives, on each cluster with `podIdentity`.',
  reconcilerFields("Seconds between two reads of its node component's log, by which an event is late."),
).optional();
