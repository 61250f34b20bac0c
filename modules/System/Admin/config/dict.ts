import { dictRead } from '#shared/dict/read-schema.ts';
import { dictQuery, readEntries, toGrouped, toMap } from '#shared/dict/reader.ts';
import { admin } from '#shared/http/route.ts';
import * as samples from '../../samples.ts';

export default admin.get({
  summary: { zh_CN: '读取字典', en: 'Read dictionaries' },
  right: 'login',
  query: dictQuery,
  data: dictRead,
  conditional: { cacheControl: 'private, no-cache' },
  reference: { example: samples.dictRead },
  prefetch: ({ query }) => readEntries(query.type),
  handler: async ({ query, prefetched }) =>
    query.map === '0' ? toMap(prefetched.get(query.type[0] ?? '')) : toGrouped(prefetched),
});
