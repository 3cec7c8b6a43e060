/** What is read at each run by the program that writes events of tokens. */
export interface TokenEventsDocument {
  /** Namespace of aad-pod-identity's node component. */
  readonly namespace: string;
}
