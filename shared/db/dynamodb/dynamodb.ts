import { createPool } from '#shared/http-client/pool.ts';
import { encodeInput } from './attributes.ts';
import { UnreachableError } from './dynamodb-error.ts';
import type { Operation, Operations } from './operations.ts';
import { readAnswer } from './read-answer.ts';
import { withRetries } from './retry.ts';
import { createSigner, type Signatory } from './sign.ts';

export interface DynamoDbOptions extends Signatory {
  endpoint: string;
  /** How long one try may take in all, in milliseconds. */
  timeoutMs: number;
}

export interface DynamoDb {
  /**
   * Has an operation done, in up to three tries; so it must be one that may be repeated.
   *
   * @throws DynamoDbError, UnreachableError
   */
  send<Name extends Operation>(
    name: Name,
    input: Operations[Name]['input'],
  ): Promise<Operations[Name]['output']>;
  /** Ends the connections that nobody uses. */
  close(): void;
}

/** A client of DynamoDB's API of 2012-08-10 in JSON. */
export function createDynamoDb({ endpoint, timeoutMs, ...signatory }: DynamoDbOptions): DynamoDb {
  const origin = new URL(endpoint);
  const pool = createPool(origin);
  const sign = createSigner(signatory);

  async function post(operation: Operation, body: string): Promise<Record<string, unknown>> {
    const signed = await sign({
      host: origin.host,
      path: origin.pathname,
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        'content-length': String(Buffer.byteLength(body)),
      },
      body,
    });
    const fields = Object.entries(signed).map(renderField).join('');
    const message = `POST ${origin.pathname} HTTP/1.1\r\n${fields}\r\n${body}`;
    const answer = await pool.send(message, timeoutMs).catch((cause) => {
      throw new UnreachableError('the database cannot be reached', { cause });
    });
    return readAnswer(answer);
  }

  return {
    async send(name, input) {
      const body = JSON.stringify(encodeInput(input));
      const output: object = await withRetries(() => post(name, body));
      return output as Operations[typeof name]['output'];
    },
    close: pool.close,
  };
}

/** @throws Error for a value that ends the field early; it is not told, since it may be a credential */
function renderField([name, value]: [name: string, value: string]): string {
  if (/[^ -~]/.test(value)) throw new Error(`the header ${name} would hold more than printable ASCII`);
  return `${name}: ${value}\r\n`;
}
