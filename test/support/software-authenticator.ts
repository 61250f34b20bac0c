import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

// An authenticator with one key on P-256, as a browser presents it. Tests choose what it says wrongly.

/** What a test may change of an answer. */
export interface Claims {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Type of the client data. */
  type?: string;
  /** Signatures so far. @default counts */
  counter?: number;
  /** @default true */
  isVerified?: boolean;
  /** @default true */
  isPresent?: boolean;
  /** Signs with this key instead of its own. */
  key?: KeyObject;
  /** Format of the attestation. @default `none` */
  format?: string;
}

type Site = Pick<Claims, 'origin' | 'rpId'>;

const flagBits = { isPresent: 0x01, isVerified: 0x04, hasKey: 0x40 };
const encode = (data: Buffer | string): string => Buffer.from(data).toString('base64url');
const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

/** CBOR: a head of a major type, for lengths below 65,536. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const bytes = (data: Buffer): Buffer => Buffer.concat([head(2, data.length), data]);
const word = (text: string): Buffer => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const whole = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const map = (...pairs: [Buffer, Buffer][]): Buffer => Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

export function createAuthenticator({ origin = 'http://localhost:3000', rpId = 'localhost' }: Site = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let uses = 0;

  /** The public key in COSE. */
  function toCose(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    return map(
      [whole(1), whole(2)],
      [whole(3), whole(-7)],
      [whole(-1), whole(1)],
      [whole(-2), bytes(Buffer.from(x, 'base64url'))],
      [whole(-3), bytes(Buffer.from(y, 'base64url'))],
    );
  }

  function describe(claims: Claims, counter: number, more = Buffer.alloc(0)): Buffer {
    const { isPresent = true, isVerified = true } = claims;
    const flags =
      (isPresent ? flagBits.isPresent : 0) |
      (isVerified ? flagBits.isVerified : 0) |
      (more.length > 0 ? flagBits.hasKey : 0);
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags, 0);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(claims.rpId ?? rpId), tail, more]);
  }

  const toClientData = (type: string, challenge: string, claims: Claims): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: claims.type ?? type,
        challenge: claims.challenge ?? challenge,
        origin: claims.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const credential = { id: encode(id), rawId: encode(id), type: 'public-key', clientExtensionResults: {} };

  return {
    id: encode(id),
    privateKey,
    /** As `startRegistration()`. */
    create({ challenge }: { challenge: string }, claims: Claims = {}) {
      const length = Buffer.from([id.length >> 8, id.length & 255]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, toCose()]);
      const authData = describe(claims, claims.counter ?? uses, attested);
      const object = map(
        [word('fmt'), word(claims.format ?? 'none')],
        [word('attStmt'), map()],
        [word('authData'), bytes(authData)],
      );
      const clientDataJSON = encode(toClientData('webauthn.create', challenge, claims));
      const response = { clientDataJSON, attestationObject: encode(object), transports: ['internal'] };
      return { ...credential, response };
    },
    /** As `startAuthentication()`. */
    get({ challenge }: { challenge: string }, claims: Claims = {}) {
      uses += 1;
      const authenticatorData = describe(claims, claims.counter ?? uses);
      const clientData = toClientData('webauthn.get', challenge, claims);
      const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
      const signature = encode(sign('sha256', signed, claims.key ?? privateKey));
      return {
        ...credential,
        response: {
          clientDataJSON: encode(clientData),
          authenticatorData: encode(authenticatorData),
          signature,
        },
      };
    },
  };
}
export type Authenticator = ReturnType<typeof createAuthenticator>;
