import '../../support/environment.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectExistsError, type StorageEngine } from '#shared/storage/engine.ts';
import { newKey, newPrivateKey, toUpload } from './direct-upload.ts';
import { postDirectly } from './post-directly.ts';

/** An engine with its storage. */
export interface EngineUnderTest {
  engine: StorageEngine;
  /** The same storage with a wrong secret; undefined if the engine has no secret. */
  withWrongSecret?: StorageEngine;
  /** The number of objects in the storage, with leftovers of uploads. */
  countObjects(): Promise<number>;
  /** Receives a part of a direct upload for an engine that receives parts: see `receiveParts`. */
  receive?(form: FormData): Promise<{ status: number }>;
  /** Why this storage overwrites objects, although the engine forbids it; undefined if it does not. */
  overwrites?: string;
  /** The same storage for private files; undefined if the engine takes none. */
  ofPrivate?: PrivateUnderTest;
  /** Moves the storage's clock, in seconds from now; undefined if the engine does not check expiry. */
  moveClock?(seconds: number): void;
  stop(): Promise<void>;
}

interface PrivateUnderTest {
  /** The storage as the registry opens it. */
  engine: Required<Pick<StorageEngine, 'signedUrl'>> & StorageEngine;
  /** The same with a wrong secret; undefined if the engine has no secret. */
  withWrongSecret?: PrivateUnderTest['engine'];
  /** The addresses of a private object without a signature; none if this storage has no way to close them. */
  openUrls(key: string): string[];
  /** The name in links, if the storage misreads names with other signs. */
  linkName?: string;
  /** Moves the clock that links are judged by. @default `moveClock` */
  moveClock?(seconds: number): void;
  /** Reads a link; by default with `fetch`. */
  read?(url: string, headers?: Record<string, string>): Promise<{ status: number; bytes: Uint8Array }>;
}

const contentType = 'image/png';
const bytesOf = (length: number) => new Uint8Array(randomBytes(length));

/** The contract of every storage engine. */
export function itIsAStorageEngine(name: string, start: () => Promise<EngineUnderTest>): void {
  describe(`the engine ${name}`, () => {
    let under: EngineUnderTest;
    let engine: StorageEngine;
    beforeAll(async () => {
      under = await start();
      engine = under.engine;
    });
    afterAll(() => under?.stop());

    const send = (key: string, bytes: Uint8Array, change: Parameters<typeof postDirectly>[2] = {}) =>
      engine
        .directTicket(toUpload({ key, sizeBytes: bytes.length }))
        .then((ticket) => postDirectly(ticket, bytes, { ...change, receive: under.receive }));

    it.each([1, 4096, 5 * 1_048_576])('stores and reads back %i bytes', async (length) => {
      const [key, bytes] = [newKey(), bytesOf(length)];
      await engine.put(key, bytes, contentType);
      expect(await engine.stat(key)).toEqual({ sizeBytes: length });
      expect(Buffer.compare(await engine.readRange(key, 0, length), bytes)).toBe(0);
    });

    it('reads a range, and the existing part of a range beyond the end', async () => {
      const [key, bytes] = [newKey(), bytesOf(1000)];
      await engine.put(key, bytes, contentType);
      expect(Buffer.compare(await engine.readRange(key, 100, 200), bytes.subarray(100, 200))).toBe(0);
      expect(Buffer.compare(await engine.readRange(key, 990, 2000), bytes.subarray(990))).toBe(0);
      expect(await engine.readRange(key, 1000, 2000)).toHaveLength(0);
    });

    it('finds nothing at an unknown key', async () => {
      expect(await engine.stat(newKey())).toBeUndefined();
      await expect(engine.readRange(newKey(), 0, 10)).rejects.toMatchObject({ code: 'storage.unavailable' });
      expect(await engine.finalise(newKey(), 10)).toBeUndefined();
    });

    it('never overwrites', async () => {
      if (under.overwrites) return;
      const [key, bytes] = [newKey(), bytesOf(10)];
      await engine.put(key, bytes, contentType);
      await expect(engine.put(key, bytesOf(20), contentType)).rejects.toBeInstanceOf(ObjectExistsError);
      expect(Buffer.compare(await engine.readRange(key, 0, 20), bytes)).toBe(0);
    });

    it('stores the whole object of one of many writers of a key', async () => {
      if (under.overwrites) return;
      const key = newKey();
      const files = Array.from({ length: 5 }, () => bytesOf(50_000));
      const results = await Promise.allSettled(files.map((bytes) => engine.put(key, bytes, contentType)));
      const winner = results.findIndex(({ status }) => status === 'fulfilled');
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(Buffer.compare(await engine.readRange(key, 0, 50_000), files[winner] ?? bytesOf(0))).toBe(0);
    });

    it('lists every object, if it can list', async () => {
      if (!engine.list) return;
      const [kept, deleted] = [newKey(), newKey()];
      for (const key of [kept, deleted]) await engine.put(key, bytesOf(10), contentType);
      await engine.delete(deleted);
      const keys = await Array.fromAsync(engine.list());
      expect(keys.filter((key) => key === kept)).toHaveLength(1);
      expect(keys).not.toContain(deleted);
    });

    it('deletes, also twice', async () => {
      const [key, before] = [newKey(), await under.countObjects()];
      await engine.put(key, bytesOf(10), contentType);
      await engine.delete(key);
      await engine.delete(key);
      expect(await engine.stat(key)).toBeUndefined();
      expect(await under.countObjects()).toBe(before);
    });

    it.each([1, 3 * 1_048_576])('stores %i bytes that a client sends directly', async (length) => {
      const [key, bytes] = [newKey(), bytesOf(length)];
      expect((await send(key, bytes)).status).toBeLessThan(300);
      expect(await engine.finalise(key, length)).toEqual({ sizeBytes: length });
      expect(await engine.finalise(key, length)).toEqual({ sizeBytes: length });
      expect(await engine.stat(key)).toEqual({ sizeBytes: length });
      expect(Buffer.compare(await engine.readRange(key, 0, length), bytes)).toBe(0);
      expect((await fetchPublic(under, key))?.headers.get('content-type') ?? contentType).toBe(contentType);
    });

    it('names the origins of its tickets and public addresses', async () => {
      const { uploads, files } = await engine.origins();
      const ticket = await engine.directTicket(toUpload({ sizeBytes: 1 }));
      const address = String(engine.publicUrl(newKey()));
      const toOrigins = (list: readonly string[]) => list.map((each) => new URL(each).origin);
      // Parts and relative addresses are this site's.
      if (!under.receive) expect(toOrigins(uploads)).toContain(new URL(ticket.url).origin);
      if (URL.canParse(address)) expect(toOrigins(files)).toContain(new URL(address).origin);
      for (const each of [...uploads, ...files]) expect(toOrigins([each])).toEqual([each]);
    });

    it('leaves nothing of a deleted direct upload, finalised or not', async () => {
      const before = await under.countObjects();
      const [finalised, open] = [newKey(), newKey()];
      for (const key of [finalised, open]) await send(key, bytesOf(100));
      await engine.finalise(finalised, 100);
      for (const key of [finalised, open]) await engine.delete(key);
      expect(await under.countObjects()).toBe(before);
    });

    it('does not let a ticket change a finalised object', async () => {
      if (under.overwrites) return;
      const [key, bytes] = [newKey(), bytesOf(100)];
      const ticket = await engine.directTicket(toUpload({ key, sizeBytes: 100 }));
      await postDirectly(ticket, bytes, { receive: under.receive });
      await engine.finalise(key, 100);
      await postDirectly(ticket, bytesOf(100), { receive: under.receive });
      await engine.finalise(key, 100);
      expect(Buffer.compare(await engine.readRange(key, 0, 100), bytes)).toBe(0);
      await engine.delete(key);
    });

    // Keys and sizes are the ticket's if the engine receives parts: tested with the part endpoint.
    it('refuses a changed key', async () => {
      if (under.receive) return;
      const [key, before] = [newKey(), await under.countObjects()];
      expect((await send(key, bytesOf(100), { key: 'uploads/other.png' })).status).toBeGreaterThanOrEqual(
        400,
      );
      expect(await under.countObjects()).toBe(before);
    });

    it('refuses a larger body, or finds its size', async () => {
      if (under.receive) return;
      const [key, before] = [newKey(), await under.countObjects()];
      const { status } = await send(key, bytesOf(100), { append: bytesOf(1) });
      // A form's policy pins the size. The signature of a `PUT` may not.
      const { method } = await engine.directTicket(toUpload({ sizeBytes: 100 }));
      if (method === 'POST') expect(status).toBeGreaterThanOrEqual(400);
      if (status < 400) expect(await engine.finalise(key, 100)).toEqual({ sizeBytes: 101 });
      await engine.delete(key);
      expect(await under.countObjects()).toBe(before);
    });

    it('refuses an expired ticket', async () => {
      if (!under.moveClock) return;
      const [key, bytes, before] = [newKey(), bytesOf(10), await under.countObjects()];
      const ticket = await engine.directTicket(toUpload({ key, sizeBytes: 10 }));
      under.moveClock(3700);
      try {
        expect((await postDirectly(ticket, bytes, {})).status).toBeGreaterThanOrEqual(400);
      } finally {
        under.moveClock(0);
      }
      expect(await under.countObjects()).toBe(before);
    });

    it('fails with a wrong secret, and stores nothing', async () => {
      if (!under.withWrongSecret) return;
      const [wrong, key, before] = [under.withWrongSecret, newKey(), await under.countObjects()];
      const refusal = { code: 'storage.unavailable' };
      await expect(wrong.put(key, bytesOf(10), contentType)).rejects.toMatchObject(refusal);
      await expect(wrong.stat(key)).rejects.toMatchObject(refusal);
      await expect(wrong.delete(key)).rejects.toMatchObject(refusal);
      const ticket = await wrong.directTicket(toUpload({ key, sizeBytes: 10 }));
      expect((await postDirectly(ticket, bytesOf(10), {})).status).toBeGreaterThanOrEqual(400);
      expect(await under.countObjects()).toBe(before);
    });

    describePrivateFiles(() => under);
  });
}

/** The object at its public URL; undefined for an engine that receives parts: others serve its files. */
const fetchPublic = async (
  { engine, receive }: EngineUnderTest,
  key: string,
): Promise<Response | undefined> => (receive ? undefined : fetch(String(engine.publicUrl(key))));

const readByFetch = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
};

/** Private files: only a link that is signed for them and still valid reads them. */
function describePrivateFiles(get: () => EngineUnderTest): void {
  const soon = () => Math.floor(Date.now() / 1000) + 600;
  const read = (url: string, headers?: Record<string, string>) =>
    (get().ofPrivate?.read ?? readByFetch)(url, headers);

  /** Runs a test of an engine that takes private files. */
  const itKeeps = (title: string, work: (tested: PrivateUnderTest) => Promise<void>) =>
    it(title, async () => {
      const { ofPrivate } = get();
      if (ofPrivate) await work(ofPrivate);
    });

  async function store({ engine, linkName = 'identity card (1) 身份证.png' }: PrivateUnderTest) {
    const [key, bytes] = [newPrivateKey(), bytesOf(1000)];
    await engine.put(key, bytes, contentType);
    return { key, bytes, url: await engine.signedUrl(key, { expiresAt: soon(), name: linkName }) };
  }

  async function expectClosed(urls: string[]) {
    for (const url of urls) {
      for (const headers of [undefined, { range: 'bytes=0-0' }]) {
        expect([url, (await read(url, headers)).status >= 400]).toEqual([url, true]);
      }
    }
  }

  itKeeps('reads a private file by a signed link, and a range of it', async (tested) => {
    const { bytes, url } = await store(tested);
    const whole = await read(url);
    expect([whole.status, Buffer.compare(whole.bytes, bytes)]).toEqual([200, 0]);
    const part = await read(url, { range: 'bytes=10-19' });
    expect([part.status, Buffer.compare(part.bytes, bytes.subarray(10, 20))]).toEqual([206, 0]);
  });

  itKeeps('keeps private files without a public address, and apart from public ones', async (tested) => {
    const { engine, openUrls } = tested;
    const { key, bytes } = await store(tested);
    expect(engine.publicUrl(key)).toBeNull();
    expect(await engine.stat(key)).toEqual({ sizeBytes: bytes.length });
    expect(Buffer.compare(await engine.readRange(key, 0, 2000), bytes)).toBe(0);
    await expectClosed(openUrls(key));
    const open = newKey();
    await engine.put(open, bytesOf(10), contentType);
    expect(await engine.stat(open)).toEqual({ sizeBytes: 10 });
    if (!get().receive) expect((await fetch(String(engine.publicUrl(open)))).status).toBe(200);
    await engine.delete(key);
    expect(await engine.stat(key)).toBeUndefined();
  });

  itKeeps('stores what a client sends directly as private', async ({ engine, openUrls }) => {
    const [key, bytes] = [newPrivateKey(), bytesOf(5000)];
    const ticket = await engine.directTicket(toUpload({ key, sizeBytes: bytes.length }));
    expect((await postDirectly(ticket, bytes, { receive: get().receive })).status).toBeLessThan(300);
    expect(await engine.finalise(key, bytes.length)).toEqual({ sizeBytes: bytes.length });
    await expectClosed(openUrls(key));
    const { bytes: found } = await read(await engine.signedUrl(key, { expiresAt: soon(), name: 'a.png' }));
    expect(Buffer.compare(found, bytes)).toBe(0);
  });

  itKeeps(
    'refuses the link of another file, a changed one, and one without its signature',
    async (tested) => {
      const [{ key, url }, other] = [await store(tested), await store(tested)];
      const toOther = url.replace(key, other.key);
      expect(toOther).not.toBe(url);
      const later = url.replace(/((?:expires|e|Expires|X-Amz-Expires|x-oss-expires)=)(\d+)/, '$19$2');
      await expectClosed([toOther, ...(later === url ? [] : [later])]);
      if (tested.openUrls(key).length === 0) return;
      const changed = [...new URL(url).searchParams.keys()].map((name) => {
        const without = new URL(url);
        without.searchParams.delete(name);
        return without.href;
      });
      await expectClosed([url.split('?')[0] ?? '', ...changed]);
    },
  );

  itKeeps('refuses a link that has expired, and one of a wrong secret', async (tested) => {
    const { moveClock = get().moveClock, withWrongSecret } = tested;
    const { key, url } = await store(tested);
    if (moveClock) {
      moveClock(601);
      try {
        await expectClosed([url]);
      } finally {
        moveClock(0);
      }
      expect((await read(url)).status).toBe(200);
    }
    if (!withWrongSecret) return;
    await expectClosed([await withWrongSecret.signedUrl(key, { expiresAt: soon(), name: 'a.png' })]);
  });

  itKeeps('names the origin of its links', async (tested) => {
    if (get().receive) return;
    const { url } = await store(tested);
    expect((await tested.engine.origins()).files).toContain(new URL(url).origin);
  });
}
