import type { useConsole } from '#console/kit/context.ts';

type Client = ReturnType<typeof useConsole>['client'];
export type DictType = Awaited<ReturnType<Client['systemAdminSettingDictTypeDetail']>>['data'];
export type DictItem = Awaited<ReturnType<Client['systemAdminSettingDictDataDetail']>>['data'];

const pageSize = 200;

interface Page<Row> {
  data: { list: Row[]; total: number };
}

/** All rows of a list, page by page. */
export async function readAll<Row>(
  read: (page: { pageNo: number; pageSize: number }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let pageNo = 1; ; pageNo += 1) {
    const { list, total } = (await read({ pageNo, pageSize })).data;
    rows.push(...list);
    if (list.length === 0 || rows.length >= total) return rows;
  }
}
