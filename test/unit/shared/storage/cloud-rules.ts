import { describe, expect, it, jest } from '@jest/globals';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { type Misbehaviour, misbehaviours, startMisbehaving } from '../../../doubles/misbehaving.ts';
import { failureOf, operations } from './storage-fixture.ts';

interface CloudUnderTest {
  /** Settings of a service that uploads and files reach at this URL. */
  at(url: string): object;
  /** The settings that the engine needs. */
  required: readonly string[];
  /** What no failure shows: keys and signatures. */
  secret: RegExp;
  /** Useless answers that an operation cannot distinguish from good ones. */
  wellFormed?: Record<string, Misbehaviour[]>;
  /** Requests of an operation that fails. @default 1 */
  requests?: Record<string, number>;
}

/** The rules of every engine of a cloud for its settings, and for a server in the place of the cloud. */
export function itIsACloudEngine(name: string, given: CloudUnderTest): void {
  const { at, required, secret, wellFormed = {}, requests = {} } = given;
  const open = async (settings: object, timeoutMs?: number): Promise<StorageEngine> => {
    const { createEngine } = await import(`#shared/storage/engines/${name}/engine.ts`);
    return createEngine(settings, { timeoutMs });
  };

  describe('the settings', () => {
    it.each(required)('need %s, and are not shown', async (missing) => {
      const { code, text } = await failureOf(() => open({ ...at('https://up.example.com'), [missing]: '' }));

      expect(code).toBe('storage.not_configured');
      expect(text).toContain(`${name} lacks ${missing}`);
      expect(text).not.toMatch(secret);
    });

    it.each([
      ['files.example.com', 'https://files.example.com'],
      ['https://files.example.com/', 'https://files.example.com'],
      ['http://files.example.com:8080', 'http://files.example.com:8080'],
    ])('make URLs of files of the domain %s', async (domain, start) => {
      const { publicUrl } = await open({ ...at('https://up.example.com'), domain });

      expect(publicUrl('uploads/a b/图+?#.png')).toBe(`${start}/uploads/a%20b/%E5%9B%BE%2B%3F%23.png`);
    });
  });

  describe.each(operations)('%s', (operation, run) => {
    const useless = misbehaviours.filter((each) => !wellFormed[operation]?.includes(each));

    it.each(useless)('fails if a server %s, and shows no secret', async (misbehaviour) => {
      const [server, elsewhere] = [
        await startMisbehaving(misbehaviour),
        await startMisbehaving('answers HTML'),
      ];
      server.redirectTo = elsewhere.url;

      const { code, text } = await failureOf(async () => run(await open(at(server.url), 300)));

      await Promise.all([server.stop(), elsewhere.stop()]);
      expect(code).toBe('storage.unavailable');
      expect(text).not.toMatch(secret);
      expect([server.requests, elsewhere.requests]).toEqual([requests[operation] ?? 1, 0]);
    });

    it('reaches no private address if that is not allowed', async () => {
      const server = await startMisbehaving('answers HTML');
      process.env.ALLOW_PRIVATE_ENDPOINTS = '0';
      for (const url of [server.url, server.url.replace('127.0.0.1', 'localhost')]) {
        await jest.isolateModulesAsync(async () => {
          const { code, text } = await failureOf(async () => run(await open(at(url))));

          expect(code).toBe('storage.unavailable');
          expect(text).toContain('public address');
        });
      }
      delete process.env.ALLOW_PRIVATE_ENDPOINTS;
      await server.stop();
      expect(server.requests).toBe(0);
    });
  });
}
