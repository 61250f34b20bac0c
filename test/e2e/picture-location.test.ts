import { beforeAll, describe, expect, test } from '@jest/globals';
import ExifReader from 'exifreader';
import { postDirectly } from '../contract/storage/post-directly.ts';
import { locatedPictures } from '../fixtures/located-pictures.ts';
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

const names = ['local', 'aliyun', 'qcloud', 'qiniu', 's3'] as const;
const photograph = locatedPictures['a JPEG with both'] ?? Buffer.alloc(0);

const used = useServer();
const { server, admin: root, saveSettings: save } = used;
const { admin, user } = useCallers(used);
const table = openTable(server);
const { find, use } = useClouds(used);

const byForm = (visibility = 'public') => {
  const fields = [field('type', 'image'), field('visibility', visibility)];
  return sendForm(admin, [...fields, filePart('holiday.jpg', photograph)]);
};

async function readLocation(url: string): Promise<string[]> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  return Object.keys(ExifReader.load(bytes)).filter((tag) => tag.startsWith('GPS'));
}

describe.each(names)('a photograph on the engine %s', (name) => {
  const countObjects = async () => find(name)?.keys().length ?? (await table.traces()).objects;

  beforeAll(async () => {
    await use(name);
    await save('upload', { strip_location: true });
  });

  test.each(['public', 'private'])('loses its position, sent by form or directly: %s', async (visibility) => {
    for (const way of ['form', 'direct'] as const) {
      const before = await countObjects();
      const sent = await (way === 'form'
        ? byForm(visibility)
        : createDirect(admin).upload('image', 'holiday.jpg', photograph, { visibility }));

      expect(sent).toMatchObject({ status: 200, data: { size: photograph.length, visibility } });
      const { url } = (await root.get(`/adminapi/system/file/url?id=${sent.data.id}`)).data;
      expect(await readLocation(url)).toEqual([]);
      // The object with the position is gone.
      expect(await countObjects()).toBe(before + 1);
      await root.post('/adminapi/system/file/delete', { ids: [sent.data.id] });
      expect(await countObjects()).toBe(before);
    }
  });

  test('is completed by any number of calls at the same time, as one file', async () => {
    const before = await countObjects();
    const direct = createDirect(user);
    const ticket = await direct.start('image', 'holiday.jpg', photograph.length);
    await postDirectly(ticket, photograph);

    const answers = await Promise.all(Array.from({ length: 4 }, () => direct.complete(ticket.ticket)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ data }) => data.url)).size).toBe(1);
    expect(await readLocation(answers[0]?.data.url)).toEqual([]);
    expect((await direct.complete(ticket.ticket)).data).toEqual(answers[0]?.data);
    expect(await countObjects()).toBe(before + 1);
  });

  test('keeps it if the operator wants that', async () => {
    await save('upload', { strip_location: false });
    const form = await byForm();
    const direct = await createDirect(admin).upload('image', 'holiday.jpg', photograph);
    for (const { data } of [form, direct]) expect((await readLocation(data.url)).length).toBeGreaterThan(0);
  });
});
