import { AppError } from '#shared/errors/app-error.ts';
import { toQuery } from '../input.ts';
import type { BodyParser } from '../request-context.ts';
import { readBody } from './json.ts';

const contentType = 'application/x-www-form-urlencoded';

/** Reads a form of texts. A field without a value counts as absent (RFC 6749, section 3.1); a repeated one is a list. */
export const urlencoded: BodyParser = {
  contentType,
  refusals: ['request.unsupported_media_type'],
  read({ event }) {
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(event.headers['content-type'] ?? '')) {
      throw new AppError('request.unsupported_media_type', { params: { expected: contentType } });
    }
    const fields = new URLSearchParams(readBody(event));
    return toQuery(new URLSearchParams([...fields].filter(([, value]) => value !== '')));
  },
};
