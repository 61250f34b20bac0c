import { describe, expect, test } from '@jest/globals';
import { useServer } from '../support/use-server.ts';
import { createDesk, publicPath, readStored } from './article-fixture.ts';

const site = 'https://www.example.com';
const alias = 'https://old.example.org';

const environment = { PUBLIC_URL: site, PUBLIC_URL_ALIASES: alias };
const { server, client, admin } = useServer({ environment });
const desk = createDesk(admin);

const read = (path: string) => client.get(`${publicPath}/${path}`);

describe('media', () => {
  const text = (url: string) =>
    `<P Class=x>\r\n<img src='${url}' srcset="${site}/storage/uploads/a.png 2x" alt="${site}/storage/b">&nbsp;<br/>`;

  test('of this site are stored as paths and answered as URLs', async () => {
    const cover = `${site}/storage/uploads/cover.png`;
    const added = await desk.add({ cover, content: text(`${site}/storage/uploads/a.png`) });
    const stored = await readStored(server, added.id);
    const listed = (await read('list?limit=1')).data.list[0];

    expect(stored.article?.cover).toBe('storage/uploads/cover.png');
    expect(stored.content?.content).toBe(text('storage/uploads/a.png'));
    expect(added.cover).toBe(cover);
    expect(added.content).toBe(text(`${site}/storage/uploads/a.png`));
    expect(listed).toMatchObject({ id: added.id, cover: added.cover });
    expect((await read(`detail?id=${added.id}`)).data).toEqual(added);
    expect((await desk.post('status', { id: added.id, status: 'enabled' })).data).toEqual(added);
  });

  test('saved repeatedly stay the same', async () => {
    const { id, content } = await desk.add({ content: text('storage/uploads/a.png') });
    const before = await readStored(server, id);

    const edited = (await desk.post('edit', { id, version: 1, content })).data;

    expect(edited.content).toBe(content);
    expect((await readStored(server, id)).content?.content).toBe(before.content?.content);
  });

  test('under an alias of this site count as its own', async () => {
    const { id, version } = await desk.add();

    const body = { id, version, cover: `${alias}/storage/c.png`, content: text(`${alias}/storage/c.png`) };
    const edited = (await desk.post('edit', body)).data;

    const stored = await readStored(server, id);
    const path = 'storage/c.png';
    expect([stored.article?.cover, stored.content?.content]).toEqual([path, text(path)]);
    expect([edited.cover, edited.content]).toEqual([`${site}/storage/c.png`, text(`${site}/storage/c.png`)]);
  });

  test.each([
    'https://bucket.example.net/storage/uploads/a.png',
    'https://www.example.com.evil.example/storage/a.png',
  ])('at %s stay unchanged', async (url) => {
    const { id, cover, content } = await desk.add({ cover: url, content: text(url) });

    const stored = await readStored(server, id);
    expect([cover, stored.article?.cover]).toEqual([url, url]);
    expect([content, stored.content?.content]).toEqual([text(url), text(url)]);
  });

  test.each(['data:image/png;base64,AAAA', 'blob:https://www.example.com/storage/1', '#top'])(
    'as %s stay unchanged in rich text, and are refused as a cover',
    async (url) => {
      const { id, content } = await desk.add({ content: text(url) });

      expect([content, (await readStored(server, id)).content?.content]).toEqual([text(url), text(url)]);
      const refused = await desk.post('edit', { id, version: 1, cover: url });
      expect([refused.status, refused.errors?.[0]?.path]).toEqual([422, 'body.cover']);
    },
  );
});
