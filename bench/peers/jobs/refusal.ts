/** A request that is not served; frameworks that know `statusCode` answer with it by themselves. */
export class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}
