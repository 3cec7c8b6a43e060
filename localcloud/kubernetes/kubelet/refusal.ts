/**
 * An answer that says why not. The API server passes the text of a 400 on as it is; that of a 404 it replaces
 * by a sentence of its own.
 */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}
