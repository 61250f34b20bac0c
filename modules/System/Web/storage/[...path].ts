import { AppError } from '#shared/errors/app-error.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { serveFile } from '../../files/serve-file.ts';

const fileHeaders = ['etag', 'cache-control', 'accept-ranges', 'last-modified'];

export default web.get({
  summary: { zh_CN: '本地存储的文件', en: 'A file of local storage' },
  data: rawAnswer,
  head: true,
  storage: true,
  limits: { memoryMb: 1024 },
  errors: [
    'route.not_found',
    'storage.file_not_found',
    'storage.link_invalid',
    'range.invalid',
    'storage.range_required',
  ],
  reference: {
    headers: ['Range', 'If-Range', 'If-None-Match'],
    errorHeaders: { 'range.invalid': ['content-range'] },
    answers: [
      {
        status: 200,
        description: { zh_CN: '整个文件', en: 'The whole file' },
        contentType: '*/*',
        headers: fileHeaders,
      },
      {
        status: 206,
        description: { zh_CN: '文件的一段，最多 4 MiB', en: 'A range of the file, of at most 4 MiB' },
        contentType: '*/*',
        headers: [...fileHeaders, 'content-range'],
      },
      { status: 304, description: { zh_CN: '内容未变', en: 'Not changed' }, headers: fileHeaders },
    ],
  },
  handler: ({ request: { event } }) => {
    const path = event.pathParameters?.path;
    // AWS does not match `{path+}` with nothing; the local gateway does.
    if (!path) throw new AppError('route.not_found');
    const query = new URLSearchParams(event.rawQueryString);
    return serveFile(path, event.requestContext.http.method, event.headers, query);
  },
});
