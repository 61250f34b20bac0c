import type { useConsole } from '#console/kit/context.ts';
import { settleAll } from '#shared/async/settle-all.ts';

type Client = ReturnType<typeof useConsole>['client'];
export type DictType = Awaited<ReturnType<Client['systemAdminSettingDictTypeDetail']>>['data'];
export type DictItem = Awaited<ReturnType<Client['systemAdminSettingDictDataDetail']>>['data'];

const pageSize = 200;

interface Page<Row> {
  data: { list: Row[]; total: number };
}

/** All rows of a list: the first page, then the others at once. */
export async function readAll<Row>(
  read: (page: { pageNo: number; pageSize: number }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const { list, total } = (await read({ pageNo: 1, pageSize })).data;
  const others = Array.from({ length: Math.max(Math.ceil(total / pageSize) - 1, 0) }, (_, index) =>
    read({ pageNo: index + 2, pageSize }),
  );
  return [...list, ...(await settleAll(others)).flatMap(({ data }) => data.list)];
}
