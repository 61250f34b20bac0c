import { findFault } from './check/find-fault.ts';
import { listOperations } from './generate/requests.ts';
import type { Ground } from './ground.ts';
import type { HostileRequest } from './request.ts';
import { send } from './send.ts';

const mostPages = 2000;

/**
 * Reads every list to its end, in both locales: stored data must not break readers.
 *
 * @returns what is wrong with the answers
 */
export async function readEverything({ document, functions, world, contract }: Ground): Promise<string[]> {
  const faults: string[] = [];
  const read = async (path: string, query: string, language: string): Promise<Record<string, unknown>> => {
    const headers = { 'x-language': language };
    const caller = path.startsWith('/adminapi/') ? 'admin' : 'user';
    const request: HostileRequest = { method: 'GET', path, query, headers, caller };
    const exchanged = await send(request, functions, world);
    const { status, body } = exchanged.answer;
    const fault =
      findFault(contract, exchanged) ?? (status === 200 ? undefined : `answers ${status}: ${body}`);
    if (fault !== undefined) faults.push(`GET ${path}?${query} (${language}): ${fault}`);
    return status === 200 ? Object(JSON.parse(body.toString())).data : {};
  };
  for (const language of ['zh_CN', 'en']) {
    const types = Object(await read('/adminapi/system/setting/dict/type/all', '', language));
    const keys: string[] = Array.from(types, (each) => Object(each).type_key);
    const lists = listOperations(document).filter(
      ({ method, path }) => method === 'GET' && path.endsWith('/list'),
    );
    const pages = lists
      .filter(({ parameters }) => !parameters.some(({ name, required }) => name === 'page' && required))
      .flatMap(({ path }) => /^\/adminapi\/(.+)\/list$/.exec(path)?.[1] ?? []);
    const required: Record<string, readonly string[]> = { type_key: keys, page: pages };
    for (const { path, parameters } of lists) {
      const asked = parameters.find((each) => each.required && each.name in required)?.name;
      const isPaged = parameters.some(({ name }) => name === 'page_no');
      const values = asked === undefined ? undefined : required[asked];
      const filters = values?.map((value) => `${asked}=${encodeURIComponent(value)}&`) ?? [''];
      for (const filter of filters) await readPages(isPaged, (page) => read(path, filter + page, language));
    }
  }
  return faults;
}

/** Follows pages or cursors to the end. */
async function readPages(isPaged: boolean, read: (query: string) => Promise<Record<string, unknown>>) {
  let query = isPaged ? 'page_size=200&page_no=1' : 'limit=100';
  for (let page = 1; page <= mostPages; page += 1) {
    const { list, next_cursor } = await read(query);
    if (isPaged ? !Array.isArray(list) || list.length < 200 : typeof next_cursor !== 'string') return;
    query = isPaged
      ? `page_size=200&page_no=${page + 1}`
      : `limit=100&cursor=${encodeURIComponent(String(next_cursor))}`;
  }
  throw new Error('a list does not end');
}
