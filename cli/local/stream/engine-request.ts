/** An engine that refuses a request; named as DynamoDB names the error. */
export class EngineError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Sends one request to an engine. @throws EngineError when it is refused */
export type EngineRequest = <Answer>(target: string, input: object) => Promise<Answer>;

/** Engines outside of AWS check no signature, but want to see one. */
const signature = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20200101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20200101T000000Z',
};

/** Requests to the endpoint of an engine, its stream's included: the SDK for streams would be a dependency. */
export function createEngineRequest(endpoint: string): EngineRequest {
  return async (target, input) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target, ...signature },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(10_000),
    });
    const answer = JSON.parse(await response.text());
    if (response.ok) return answer;
    const { __type: type = '', message = answer.Message } = answer;
    throw new EngineError(String(type).replace(/^.*#/, ''), String(message));
  };
}
