// Run by Node 24 for the functions that were packaged: loads each, and has those of routes answer a recorded
// event of API Gateway, with no store to be reached. Prints what is wrong, one line each.
import { pathToFileURL } from 'node:url';

const [, , ...functions] = process.argv;

const context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  getRemainingTimeInMillis: () => 20_000,
};

function createEvent(method, path) {
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: {
      accept: '*/*',
      host: 'api.example.com',
      'content-length': '2',
      'content-type': 'application/json',
    },
    requestContext: {
      accountId: '111122223333',
      apiId: 'abcdefghij',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'recorded' },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '21/Nov/2026:00:00:00 +0000',
      timeEpoch: 1795219200000,
    },
    body: method === 'POST' ? '{}' : undefined,
    isBase64Encoded: false,
  };
}

async function check(spec) {
  const { file, method, path } = JSON.parse(spec);
  const { handler } = await import(pathToFileURL(file).href);
  if (typeof handler !== 'function') return 'exports no handler';
  if (!method) return undefined;
  const { statusCode, headers } = await handler(createEvent(method, path), context);
  if (!(statusCode >= 200 && statusCode < 600) || statusCode === 500) return `answered ${statusCode}`;
  return headers?.['x-request-id'] === context.awsRequestId ? undefined : 'answered without its request ID';
}

const faults = await Promise.all(
  functions.map(async (spec) => {
    const fault = await check(spec).catch((error) => error.stack);
    return fault && `${JSON.parse(spec).file}: ${fault}`;
  }),
);
for (const fault of faults) if (fault) process.stderr.write(`${fault}\n`);
process.exit(faults.some(Boolean) ? 1 : 0);
