import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { variantNames, variantSizes } from '#shared/storage/naming/variant-path.ts';
import { useServer } from '../support/use-server.ts';
import {
  createDirect,
  field,
  filePart,
  openTable,
  sendForm,
  useCallers,
  useClouds,
} from './upload-fixture.ts';

const used = useServer();
const { server, admin: root, client } = used;
const { admin } = useCallers(used);
const table = openTable(server);
const { find, use } = useClouds(used);

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } });
const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
let photograph: Buffer;
beforeAll(async () => {
  // The camera was held upright.
  photograph = await draw(2400, 1200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
});

const upload = async (bytes: Uint8Array, name = 'photo.jpg', visibility = 'public') =>
  (await sendForm(admin, [field('type', 'image'), field('visibility', visibility), filePart(name, bytes)]))
    .data;
const read = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  const { status, headers } = response;
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const sign = (id: string, size: string) => root.get(`/adminapi/system/file/url?id=${id}&size=${size}`);
const remove = (id: string) => root.post('/adminapi/system/file/delete', { ids: [id] });

describe.each(['local', 's3'])('variants on the engine %s', (name) => {
  const countObjects = async () => find(name)?.keys().length ?? (await table.traces()).objects;

  beforeAll(() => use(name));

  test('are WebP of at most their size, upright, and never made twice', async () => {
    const before = await countObjects();
    const { id, variants } = await upload(photograph);

    for (const [index, size] of variantNames.entries()) {
      const url: string = variants[size];
      const first = await read(url);
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(first.headers.get('cache-control')).toContain('immutable');
      const { width, height, format, orientation } = await sharp(first.bytes).metadata();
      const side = variantSizes[size];
      expect([width, height, format, orientation]).toEqual([side / 2, side, 'webp', undefined]);
      expect(await countObjects()).toBe(before + 2 + index);
      expect((await read(url)).bytes.equals(first.bytes)).toBe(true);
      expect(await countObjects()).toBe(before + 2 + index);
      const etag = first.headers.get('etag') ?? '';
      expect((await read(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
      const head = await read(url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(first.bytes.length)]);
    }

    await remove(id);
    expect(await countObjects()).toBe(before);
    expect((await read(variants.thumb)).status).toBe(404);
    expect(await countObjects()).toBe(before);
  });

  test('are not larger than the picture, and are in details and lists', async () => {
    const { id, variants } = await upload(await draw(40, 30).png().toBuffer(), 'icon.png');

    const { width, height } = await sharp((await read(variants.xlarge)).bytes).metadata();
    expect([width, height]).toEqual([40, 30]);
    const { data } = await root.get(`/adminapi/system/file/detail?id=${id}`);
    expect(data.variants).toEqual(variants);
    const { list } = (await root.get('/adminapi/system/file/list?limit=1')).data;
    expect(list[0].variants).toEqual(variants);
    expect((await sign(id, 'large')).data).toEqual({ url: variants.large, expires_at: null });
  });

  test('of a private picture need the signature for this size', async () => {
    const { id, variants } = await upload(photograph, 'card.jpg', 'private');
    const other = await upload(photograph, 'other.jpg', 'private');
    const { url } = (await sign(id, 'small')).data;

    expect(variants).toBeNull();
    const { status, headers, bytes } = await read(url);
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect((await sharp(bytes).metadata()).height).toBe(320);
    const key = /private\/[^?]+/.exec((await sign(other.id, 'small')).data.url)?.[0] ?? '';
    const refused = [
      url.split('?')[0],
      url.replace('/small/', '/large/'),
      url.replace(/private\/[^?]+/, key),
      url.replace(/expires=\d+/, `expires=${Math.floor(Date.now() / 1000) + 9000}`),
      url.replace(/(signature=[^&]{12})./, '$1x'),
      url.replace('variants/', '').replace(`${name}/small/`, ''),
    ];
    for (const each of refused) expect((await read(each)).status).toBe(403);
  });

  test('of a damaged picture are refused, and tried once', async () => {
    const { variants } = await upload(photograph.subarray(0, photograph.length / 2), 'half.jpg');
    const tried = () => server.printed().split('variant.refused').length;
    const before = tried();

    for (let each = 0; each < 3; each += 1) {
      const { status, bytes } = await read(variants.thumb);
      expect([status, JSON.parse(String(bytes)).code]).toEqual([422, 'file.no_variants']);
    }
    expect(tried()).toBe(before + 1);
  });

  test('are made once for many that ask at the same time', async () => {
    const before = await countObjects();
    const { id, variants } = await upload(photograph);

    const all = await Promise.all(Array.from({ length: 8 }, () => read(variants.medium)));
    expect(new Set(all.map(({ status, bytes }) => `${status} ${bytes.toString('base64')}`)).size).toBe(1);
    expect(all[0]?.status).toBe(200);
    expect(await countObjects()).toBe(before + 2);
    await remove(id);
  });
});

describe.each([
  ['qiniu', /\?imageView2\/2\/w\/320\/h\/320$/],
  ['aliyun', /\?x-oss-process=image\/resize,m_lfit,w_320,h_320$/],
  ['qcloud', /\?imageMogr2\/auto-orient\/thumbnail\/320x320%3E$/],
])('variants on the engine %s', (name, query) => {
  beforeAll(() => use(name));

  test('are made by the cloud', async () => {
    const { variants, url } = await upload(photograph);

    expect(variants.small).toMatch(query);
    expect(variants.small.startsWith(url)).toBe(true);
    expect((await read(variants.small)).status).toBe(200);
    const path = new URL(url).pathname.replace(/^.*?uploads/, 'uploads');
    expect((await client.get(`/storage/variants/${name}/small/${path}`)).status).toBe(404);
  });

  test('of a private picture need the signature for this size', async () => {
    const { id } = await upload(photograph, 'card.jpg', 'private');
    const { url } = (await sign(id, 'small')).data;

    expect((await read(url)).status).toBe(200);
    expect([401, 403]).toContain((await read(url.replaceAll('320', '1920'))).status);
    expect((await read((await sign(id, 'thumb')).data.url)).status).toBe(200);
  });

  test('are sent directly too', async () => {
    const { data } = await createDirect(admin).upload('image', 'photo.jpg', photograph);

    expect(data.variants.small).toMatch(query);
  });
});

describe('other addresses', () => {
  beforeAll(() => use('local'));

  test('are not found: sizes, engines, paths, files that are not there or have no variants', async () => {
    const { variants } = await upload(photograph);
    const { url: svg, variants: none } = await upload(drawing, 'drawing.svg');
    expect(none).toBeNull();
    const paths = [
      ...['/small/=/huge/', '/small/=/SMALL/', '/small/=/__proto__/', '/local/=/disk/', '/local/=/s3/'],
      ...['/uploads/=/../uploads/', '.jpg=.jpg.small.webp', '.jpg=.svg', '.jpg=.jpg%00'],
    ];
    const before = (await table.traces()).objects;
    for (const [from = '', to = ''] of paths.map((each) => each.split('=')))
      expect([to, (await read(variants.small.replace(from, to))).status]).toEqual([to, 404]);
    expect((await read(svg.replace('/storage/', '/storage/variants/local/small/'))).status).toBe(404);
    expect((await read(variants.small.replace(/[0-9a-f]{24}/, '0'.repeat(24)))).status).toBe(404);
    expect((await table.traces()).objects).toBe(before);
  });

  test('the link to a size of a file without variants is refused', async () => {
    const { id } = await upload(drawing, 'drawing.svg');

    expect(await sign(id, 'small')).toMatchObject({ status: 422, code: 'file.no_variants' });
    expect(await sign(id, 'huge')).toMatchObject({ status: 422, code: 'request.invalid' });
  });
});
