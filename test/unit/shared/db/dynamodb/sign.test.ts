import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSigner } from '#shared/db/dynamodb/sign.ts';

const region = 'eu-west-1';
const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const sign = createSigner({ region, credentials });

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The signature by the letter of AWS's description of version 4, from the headers that an authorization names. */
function expectedSignature(headers: Record<string, string>, path: string, body: string): string {
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(String(headers.authorization)) ?? [];
  const canonicalHeaders = names.split(';').map((name) => `${name}:${headers[name]?.trim()}\n`);
  const canonical = ['POST', path, '', canonicalHeaders.join(''), names, sha256(body)].join('\n');
  const time = String(headers['x-amz-date']);
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/dynamodb/aws4_request`;
  const key = [day, region, 'dynamodb', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
}

test('signs body, host and headers as AWS describes it', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (body) => {
      const headers = {
        'x-amz-target': 'DynamoDB_20120810.GetItem',
        'content-type': 'application/x-amz-json-1.0',
      };
      const signed = await sign({ host: 'db.example.com:8000', path: '/', headers, body });

      expect(signed).toMatchObject({ ...headers, host: 'db.example.com:8000' });
      expect(signed.authorization).toContain(`Credential=AKIDEXAMPLE/${signed['x-amz-date']?.slice(0, 8)}/`);
      expect(signed.authorization).toMatch(/SignedHeaders=[^,]*host;[^,]*x-amz-target/);
      expect(signed.authorization).toContain(`Signature=${expectedSignature(signed, '/', body)}`);
    }),
  ));
