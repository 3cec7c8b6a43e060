import { object, reconcilerFields } from './fields';

/** What writes events of the tokens of aad-pod-identity. */
export const tokenEvents = object(
  'The program that writes an event at the binding for the tokens that aad-pod-identity gives, on each cluster with `podIdentity`.',
  reconcilerFields("Seconds between two reads of its node component's log, by which an event is late."),
).optional();
