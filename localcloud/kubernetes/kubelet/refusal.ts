/** An error answer with a reason. The API server passes on the text of a 400, but replaces that of a 404. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}
