import { expect, test } from '@jest/globals';
import { useCursorList } from '#console/kit/lists/use-cursor-list.ts';

type Page = { data: { list: string[]; next_cursor: string | null } };

/** A route whose answers the test gives, in any order. */
function createRoute() {
  const asked: { cursor: string | undefined; answer(page: Page): void; fail(error: unknown): void }[] = [];
  const read = ({ cursor }: { cursor?: string }) =>
    new Promise<Page>((answer, fail) => {
      asked.push({ cursor, answer, fail });
    });
  return { asked, list: useCursorList(read) };
}
const page = (list: string[], next_cursor: string | null = null): Page => ({ data: { list, next_cursor } });

test('reads page after page, until there is no cursor', async () => {
  const { asked, list } = createRoute();
  const first = list.load();
  expect(list.isLoading.value).toBe(true);
  asked[0]?.answer(page(['a', 'b'], 'after b'));
  await first;
  expect(list.hasMore.value).toBe(true);

  const second = list.loadMore();
  asked[1]?.answer(page(['c']));
  await second;

  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'after b']);
  expect(list.rows.value).toEqual(['a', 'b', 'c']);
  expect(list.hasMore.value).toBe(false);
  expect(list.isLoading.value).toBe(false);
});

test('begins again with the first page', async () => {
  const { asked, list } = createRoute();
  const first = list.load();
  asked[0]?.answer(page(['a'], 'after a'));
  await first;
  const again = list.load();
  asked[1]?.answer(page(['new', 'a'], 'after a'));
  await again;

  expect(asked[1]?.cursor).toBeUndefined();
  expect(list.rows.value).toEqual(['new', 'a']);
});

test('drops an answer that comes after a newer request', async () => {
  const { asked, list } = createRoute();
  const old = list.load();
  const current = list.load();
  asked[1]?.answer(page(['new']));
  await current;
  asked[0]?.answer(page(['old'], 'after old'));
  await old;

  expect(list.rows.value).toEqual(['new']);
  expect(list.hasMore.value).toBe(false);
});

test('keeps its rows if a further page fails, and asks for that page again', async () => {
  const { asked, list } = createRoute();
  const first = list.load();
  asked[0]?.answer(page(['a'], 'after a'));
  await first;
  const second = list.loadMore();
  asked[1]?.fail(new Error('no connection'));
  await second;
  expect(list.rows.value).toEqual(['a']);
  expect(list.failure.value?.message).toBe('no connection');

  const again = list.loadMore();
  asked[2]?.answer(page(['b']));
  await again;

  expect(asked[2]?.cursor).toBe('after a');
  expect(list.rows.value).toEqual(['a', 'b']);
  expect(list.failure.value).toBeUndefined();
});

test('shows no rows of an earlier reading if the first page fails', async () => {
  const { asked, list } = createRoute();
  const first = list.load();
  asked[0]?.answer(page(['a'], 'after a'));
  await first;
  const again = list.load();
  asked[1]?.fail('refused');
  await again;
  expect(list.rows.value).toEqual([]);
  expect(list.failure.value?.message).toBe('refused');

  const retried = list.loadMore();
  asked[2]?.answer(page(['a']));
  await retried;

  expect(asked[2]?.cursor).toBeUndefined();
  expect(list.rows.value).toEqual(['a']);
});
