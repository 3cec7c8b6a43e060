/** Input of each run of the writer of token events. */
export interface TokenEventsDocument {
  /** Namespace of aad-pod-identity's node component. */
  readonly namespace: string;
}
