import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { SignatureV4 } from '@smithy/signature-v4';

/** Who signs, and for where. */
export interface Signatory {
  region: string;
  /**
   * By default those that the process has: of its environment on AWS Lambda, of profiles and sign-ins too for
   * who runs a command.
   */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

type Headers = Record<string, string>;

/** A request that is to be signed; its method is POST. */
export interface Unsigned {
  host: string;
  path: string;
  headers: Headers;
  body: string;
}

/** @returns a function that signs for DynamoDB by Signature Version 4, and gives all headers to send */
export function createSigner({ region, credentials }: Signatory): (request: Unsigned) => Promise<Headers> {
  const signer = new SignatureV4({
    service: 'dynamodb',
    region,
    credentials: credentials ?? defaultProvider(),
    sha256: Sha256,
  });
  return async ({ host, headers, ...request }) => {
    const signed = await signer.sign({
      ...request,
      method: 'POST',
      protocol: 'https:',
      hostname: host,
      headers: { host, ...headers },
    });
    return signed.headers;
  };
}

/** Node's SHA-256, in the form that the signer asks for. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toKey(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): never {
    throw new Error('a hash is used once');
  }
}

/** Bytes become a key object first: with bare ones `createHmac` takes four times as long. */
const toKey = (secret: string | ArrayBuffer | ArrayBufferView) =>
  typeof secret === 'string' ? secret : createSecretKey(secret as Uint8Array);
