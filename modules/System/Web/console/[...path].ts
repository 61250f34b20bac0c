import { rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { serveConsole } from '../../hosting/serve-console.ts';

export default web.get({
  summary: { zh_CN: '管理控制台', en: 'The operator console' },
  data: rawAnswer,
  head: true,
  aliases: ['/', '/console'],
  needs: ['console'],
  errors: ['route.not_found'],
  reference: {
    description: {
      zh_CN: '控制台的文件；其他路径返回首页，由浏览器中的路由处理。/ 和 /console 跳转到 /console/。',
      en: "The console's files. Every other path answers its index, whose router runs in the browser. / and /console redirect to /console/.",
    },
    headers: ['If-None-Match'],
    answers: [
      {
        status: 200,
        description: {
          zh_CN: '首页、文件或页面描述',
          en: 'The index, a file, or the description of the pages',
        },
        contentType: '*/*',
        headers: ['etag', 'cache-control', 'vary'],
      },
      { status: 302, description: { zh_CN: '跳转到 /console/', en: 'To /console/' } },
      {
        status: 304,
        description: { zh_CN: '内容未变', en: 'Not changed' },
        headers: ['etag', 'cache-control', 'vary'],
      },
      {
        status: 503,
        description: { zh_CN: '控制台尚未构建', en: 'The console is not built yet' },
        contentType: 'text/html',
      },
    ],
  },
  handler: ({ console, request: { event } }) => serveConsole(console, event),
});
