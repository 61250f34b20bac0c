import { AppError } from '#shared/errors/app-error.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { serveVariant } from '../../../files/variants/serve-variant.ts';

const pictureHeaders = ['etag', 'cache-control'];

export default web.get({
  summary: { zh_CN: '图片的缩略图', en: 'A smaller version of a picture' },
  data: rawAnswer,
  head: true,
  storage: true,
  libraries: true,
  limits: { timeoutSeconds: 29, memoryMb: 1769 },
  errors: [
    'route.not_found',
    'storage.file_not_found',
    'storage.link_invalid',
    'file.no_variants',
    'storage.unavailable',
  ],
  reference: {
    description: {
      zh_CN:
        '路径为 {引擎}/{尺寸}/{对象路径}。首次访问时生成并存放在原图旁边：WebP，长边不超过 160、320、640、1280 或 1920 像素，不放大，动图取第一帧。私有图片需要 system/file/url 签发的链接。',
      en: 'The path is {engine}/{size}/{key}. Made on first view and stored beside the picture: WebP, at most 160, 320, 640, 1280 or 1920 pixels on the longer side, never enlarged, the first frame of an animation. A private picture needs a link of system/file/url.',
    },
    headers: ['If-None-Match'],
    answers: [
      {
        status: 200,
        description: { zh_CN: '缩略图', en: 'The picture' },
        contentType: 'image/webp',
        headers: pictureHeaders,
      },
      { status: 304, description: { zh_CN: '内容未变', en: 'Not changed' }, headers: pictureHeaders },
    ],
  },
  handler: ({ request: { event } }) => {
    const path = event.pathParameters?.path;
    // AWS does not match `{path+}` with nothing; the local gateway does.
    if (!path) throw new AppError('route.not_found');
    const query = new URLSearchParams(event.rawQueryString);
    return serveVariant(path, event.requestContext.http.method, event.headers, query);
  },
});
