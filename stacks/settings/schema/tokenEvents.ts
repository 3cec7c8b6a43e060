import { object, reconcilerFields } from './fields';

/** What writes events of the tokens of aad-pod-identity. */
export const tokenEvents = object(
  'What writes an event at the binding for the tokens that aad-pod-identity gives, on each cluster with `podIdentity`.',
  reconcilerFields(
    'Seconds between two looks at the log of its node component: by so much an event is late.',
  ),
).optional();
