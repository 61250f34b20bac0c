import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import { endpoint } from './endpoint.ts';
import { web } from './route.ts';

/** The handler of `$default`: 405 with `Allow` for a path that exists with another method, 404 for all others. */
export function fallback(methodsByPath: Record<string, readonly string[]>) {
  const known = Object.entries(methodsByPath).map(([path, methods]) => [toPattern(path), methods] as const);
  const route = web.get({
    summary: { zh_CN: '未匹配的请求', en: 'Requests without a matching route' },
    data: z.null(),
    handler: async ({ request: { event } }) => {
      const path = event.rawPath.replace(/(?<=.)\/$/, '');
      const [, methods] = known.find(([pattern]) => pattern.test(path)) ?? [];
      if (!methods || methods.includes(event.requestContext.http.method))
        throw new AppError('route.not_found');
      throw new AppError('route.method_not_allowed', { headers: { allow: methods.join(', ') } });
    },
  });
  return endpoint(route, { name: 'default', gates: [] });
}

/** `{path+}` matches one or more segments; the rest of the path is literal. */
function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\\\+\}/g, '.+')}$`);
}
