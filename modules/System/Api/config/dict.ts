import { dictRead } from '#shared/dict/read-schema.ts';
import { dictQuery, readEntries, toGrouped, toMap } from '#shared/dict/reader.ts';
import { api } from '#shared/http/route.ts';
import * as samples from '../../samples.ts';

export default api.openGet({
  summary: { zh_CN: '读取公开字典', en: 'Read public dictionaries' },
  query: dictQuery,
  data: dictRead,
  middleware: ['throttle:public'],
  conditional: { cacheControl: 'public, no-cache' },
  reference: { example: samples.dictRead },
  prefetch: ({ query }) => readEntries(query.type),
  handler: async ({ query, prefetched }) =>
    query.map === '0'
      ? toMap(prefetched.get(query.type[0] ?? ''), 'public')
      : toGrouped(prefetched, 'public'),
});
