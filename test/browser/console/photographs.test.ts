import { beforeAll, describe, expect } from '@jest/globals';
import sharp from 'sharp';
import { createForm, field, filePart } from '../../e2e/upload-fixture.ts';
import { browserTest } from '../chromium.ts';
import { watchTransfers } from '../first-load.ts';
import { useDesk } from './fixture.ts';
import { untilLoaded } from './log-in.ts';

// Photographs of a camera: the console loads smaller ones.

const desk = useDesk(async () => ({ THROTTLE_FACTOR: '100' }));
const count = 60;
let photograph: Buffer;

const upload = async (name: string): Promise<{ url: string }> => {
  const { body, headers } = createForm([field('type', 'image'), filePart(name, photograph)]);
  const answer = await desk.admin.post('/adminapi/system/upload/file', body, { headers });
  expect(answer).toMatchObject({ status: 200 });
  return answer.data;
};

beforeAll(async () => {
  await desk.logInAgain();
  const noise = { type: 'gaussian', mean: 120, sigma: 20 } as const;
  photograph = await sharp({ create: { width: 3600, height: 2400, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 92 })
    .toBuffer();
  expect(photograph.length).toBeGreaterThan(4_000_000);
});

describe('photographs of 4 MB', () => {
  browserTest(
    'are 60 on the page of files, which loads less than 1.5 MB in all',
    async () => {
      for (let each = 0; each < count; each += 1) await upload(`photo ${each}.jpg`);
      const { page } = await desk.open({ path: 'system/file' });
      const take = await watchTransfers(page);
      await page.reload();
      await untilLoaded(page);
      await page.getByRole('button', { name: 'Load more' }).click();
      const pictures = page.locator('.file-grid img');
      await pictures.nth(count - 1).waitFor();
      for (let each = 0; each < count; each += 10) await pictures.nth(each).scrollIntoViewIfNeeded();
      await pictures.last().scrollIntoViewIfNeeded();

      const { bytes, requests } = await take();

      expect(requests.filter((each) => each.includes('/storage/variants/'))).toHaveLength(count);
      expect(bytes).toBeLessThan(1_500_000);
    },
    240_000,
  );

  browserTest(
    'are smaller in a list, and in a text, which names them for every width',
    async () => {
      const { url } = await upload('lake.jpg');
      const article = {
        category: 'news',
        title: 'The lake',
        cover: url,
        content: '<p>a</p>',
        status: 'enabled',
      };
      await desk.admin.post('/adminapi/article/article/add', article);
      const { page } = await desk.open({ path: 'article/article' });
      const take = await watchTransfers(page);
      await page.reload();
      await untilLoaded(page);
      expect((await take()).requests.filter((each) => each.includes('/storage/'))).toEqual([
        expect.stringContaining('/storage/variants/local/thumb/'),
      ]);

      await page.getByRole('button', { name: 'Add an article' }).click();
      const form = page.getByRole('region', { name: 'Add an article' });
      await form.getByLabel('Title').fill('The shore');
      await form.locator('.el-select').first().click();
      await page.getByRole('option').first().click();
      await form.getByRole('textbox', { name: 'Content' }).click();
      await form.getByRole('button', { name: 'Picture', exact: true }).click();
      const picker = page.getByRole('dialog', { name: 'Choose from the files' });
      await picker.getByRole('button', { name: 'Show lake.jpg' }).click();
      await form.locator('.ProseMirror img[srcset]').waitFor();
      await form.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByRole('row', { name: 'The shore' }).waitFor();

      const { list } = Object(await desk.call('article/article/list'));
      const { content } = Object(await desk.call(`article/article/detail?id=${list[0].id}`));
      const at = (size: string, width: number) =>
        `${url.replace('/storage/', `/storage/variants/local/${size}/`)} ${width}w`;
      const srcset = [at('small', 320), at('medium', 640), at('large', 1280), at('xlarge', 1920)].join(', ');
      expect(content).toContain(
        `<img src="${url}" srcset="${srcset}" sizes="(max-width: 1920px) 100vw, 1920px"`,
      );
    },
    60_000,
  );
});
