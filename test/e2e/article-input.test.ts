import { describe, expect, test } from '@jest/globals';
import { idsOf, outcome, paths } from '../support/answers.ts';
import { useSharedServer } from '../support/use-server.ts';
import { createDesk, readStored } from './article-fixture.ts';

const refused = '422 request.invalid';
const maxContentBytes = 300 * 1024;

const { server, admin } = useSharedServer();
const desk = createDesk(admin);

const whole = { title: 'Title', category: 'news', content: '<p>text</p>' };

const wrongTypes = { title: 1, category: [], cover: null, summary: {}, content: true, status: 1 };
const cover = (length: number) => 'storage/'.padEnd(length, 'x');

describe('a new article', () => {
  test.each<[string, object, string[]]>([
    ['nothing', {}, ['body.title', 'body.category', 'body.content']],
    ['unknown fields', { ...whole, id: 'x', version: 1 }, ['body.id', 'body.version']],
    ['wrong types', wrongTypes, Object.keys(wrongTypes).map((name) => `body.${name}`)],
    ['an empty title', { ...whole, title: ' \n' }, ['body.title']],
    ['a long title', { ...whole, title: '题'.repeat(201) }, ['body.title']],
    ['half a character in the title', { ...whole, title: 'a\ud83d' }, ['body.title']],
    ['a control character in the title', { ...whole, title: 'a\u0000' }, ['body.title']],
    ['a long summary', { ...whole, summary: 'x'.repeat(501) }, ['body.summary']],
    ['half a character in the summary', { ...whole, summary: '\udc00' }, ['body.summary']],
    ['a cover that runs a script', { ...whole, cover: 'javascript:alert(1)' }, ['body.cover']],
    ['a content of too many levels', { ...whole, content: '<div>'.repeat(300) }, ['body.content']],
    ['a long cover', { ...whole, cover: cover(501) }, ['body.cover']],
    ['half a character in the cover', { ...whole, cover: 'storage/\ud83d' }, ['body.cover']],
    ['half a character in the content', { ...whole, content: '<p>\ud83d' }, ['body.content']],
    ['another status', { ...whole, status: 'draft' }, ['body.status']],
    ['a category that is no value', { ...whole, category: '新闻' }, ['body.category']],
    ['an empty category', { ...whole, category: '' }, ['body.category']],
    ['a category that is not there', { ...whole, category: 'gone' }, ['body.category']],
    ['a category with a name from JavaScript', { ...whole, category: 'constructor' }, ['body.category']],
  ])('with %s is refused', async (_, body, expected) => {
    const answer = await desk.post('add', body);

    expect([outcome(answer), paths(answer)]).toEqual([refused, expected]);
  });

  test('accepts every field at its limit', async () => {
    const fields = { title: '😀'.repeat(200), summary: '概'.repeat(500), content: '' };

    const added = await desk.add({ ...fields, cover: cover(500) });

    expect(added).toMatchObject(fields);
    expect((await readStored(server, added.id)).article?.cover).toBe(cover(500));
  });
});

describe('an edit', () => {
  test.each<[string, object, string[]]>([
    ['nothing', {}, ['body.id', 'body.version']],
    ['no ID of ours', { id: 'x', version: 1 }, ['body.id']],
    ['a version as text', { version: '1' }, ['body.version']],
    ['a version of 0', { version: 0 }, ['body.version']],
    ['half a version', { version: 1.5 }, ['body.version']],
    ['an unknown field', { version: 1, published_at: null }, ['body.published_at']],
    ['null for a title', { version: 1, title: null }, ['body.title']],
    ['a category that is not there', { version: 1, category: 'gone' }, ['body.category']],
  ])('with %s is refused', async (_, body, expected) => {
    const { id } = await desk.add();
    const given = Object.keys(body).length === 0 ? {} : { id, ...body };

    const answer = await desk.post('edit', given);

    expect([outcome(answer), paths(answer)]).toEqual([refused, expected]);
    expect((await desk.get(`detail?id=${id}`)).data.version).toBe(1);
  });

  test('of a stale version is refused; one without changes still raises the version', async () => {
    const { id } = await desk.add();

    const answers = [
      await desk.post('edit', { id, version: 2 }),
      await desk.post('edit', { id, version: 1 }),
      await desk.post('edit', { id, version: 1, category: 'gone' }),
    ];

    expect(answers.map(outcome)).toEqual(['409 version_conflict', '200 ok', '409 version_conflict']);
  });
});

describe('a content', () => {
  test('is at most 300 KiB of UTF-8 as stored', async () => {
    const url = `http://localhost:${new URL(server.url).port}/storage/a.png`;
    const saved = 'storage/a.png';
    const fill = (bytes: number) => `<img src="${url}">${'x'.repeat(bytes - `<img src="${saved}">`.length)}`;
    const chinese = '文'.repeat(maxContentBytes / 3);

    const answers = [
      await desk.post('add', { ...whole, content: fill(maxContentBytes) }),
      await desk.post('add', { ...whole, content: fill(maxContentBytes + 1) }),
      await desk.post('add', { ...whole, content: chinese }),
      await desk.post('add', { ...whole, content: `${chinese}x` }),
    ];

    expect(answers.map(outcome)).toEqual(['200 ok', refused, '200 ok', refused]);
    expect(answers.flatMap(paths)).toEqual(['body.content', 'body.content']);
    expect(answers[1]?.errors[0]?.message).toContain('307200');
    const [first] = answers.map((answer) => answer.data);
    expect(first.content).toBe(fill(maxContentBytes));
    const stored = await readStored(server, first.id);
    expect(Buffer.byteLength(stored.content?.content)).toBe(maxContentBytes);
    expect(idsOf(await desk.get('list?limit=2'))).toContain(first.id);
  });
});

describe('a category', () => {
  test('that is disabled, or of a disabled dictionary, is refused for new articles', async () => {
    await desk.addCategory('closed');
    const { id } = await desk.add({ category: 'closed' });
    await desk.postDict('data/edit', { value: 'closed', status: 'disabled', version: 1 });

    const answers = [
      await desk.post('add', { ...whole, category: 'closed' }),
      await desk.post('edit', { id, version: 1, title: 'Kept', category: 'closed' }),
    ];
    await desk.postDict('type/edit', { enabled: false, version: 1 });
    answers.push(
      await desk.post('add', whole),
      await desk.post('edit', { id, version: 2, category: 'news' }),
      await desk.post('edit', { id, version: 2, title: 'Kept again' }),
    );
    await desk.postDict('type/edit', { enabled: true, version: 2 });
    answers.push(await desk.post('add', whole));

    expect(answers.map(outcome)).toEqual([refused, '200 ok', refused, refused, '200 ok', '200 ok']);
  });

  test('is named in the refusal, in the language of the caller', async () => {
    const path = 'body.category';
    const ask = async (language: string) =>
      (await createDesk(admin.in(language)).post('add', { ...whole, category: 'gone' })).errors;

    expect(await ask('en')).toEqual([{ path, message: 'There is no such dictionary item' }]);
    expect(await ask('zh_CN')).toEqual([{ path, message: expect.stringMatching(/[一-龟]/) }]);
  });

  test('in use is deleted only by force, and then its articles can still be edited', async () => {
    await desk.addCategory('used');
    const [first, second] = [await desk.add({ category: 'used' }), await desk.add({ category: 'used' })];

    const rename = { value: 'used', new_value: 'renamed', version: 1 };
    const inUse = [
      await desk.postDict('data/delete', { value: 'used' }),
      await desk.postDict('data/edit', rename),
    ];
    await desk.post('delete', { id: first.id });
    const stillInUse = await desk.postDict('data/delete', { value: 'used' });
    const forced = await desk.postDict('data/edit', { ...rename, force: true });
    const edited = await desk.post('edit', { id: second.id, version: 1, title: 'Edited', category: 'used' });
    const moved = await desk.post('edit', { id: second.id, version: 2, category: 'renamed' });
    const held = await desk.postDict('data/delete', { value: 'renamed' });
    await desk.post('edit', { id: second.id, version: 3, category: 'news' });
    const freed = await desk.postDict('data/delete', { value: 'renamed' });

    expect([...inUse, stillInUse, held].map(outcome)).toEqual(Array(4).fill('409 dict.value_in_use'));
    expect([...inUse, stillInUse, held].map(({ errors }) => errors)).toEqual(
      ['2', '2', '1', '1'].map((message) => [{ path: 'article', message }]),
    );
    expect([forced, edited, moved, freed].map(outcome)).toEqual(Array(4).fill('200 ok'));
    expect(edited.data).toMatchObject({ title: 'Edited', category: 'used' });
    expect(moved.data).toMatchObject({ category: 'renamed', version: 3 });
  });
});
