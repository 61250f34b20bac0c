import { rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { serveFile } from '../../data/serve-file.ts';

export default web.get({
  summary: { zh_CN: '本地存储的文件', en: 'A file of local storage' },
  data: rawAnswer,
  head: true,
  storage: true,
  limits: { memoryMb: 1024 },
  handler: ({ request: { event } }) =>
    serveFile(event.pathParameters?.path ?? '', event.requestContext.http.method, event.headers),
});
