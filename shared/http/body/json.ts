import parse from 'secure-json-parse';
import { AppError } from '#shared/errors/app-error.ts';
import type { BodyParser } from './body-parser.ts';
import { readBody } from './json-text.ts';
import { jsonType, requireJson } from './require-json.ts';

const byteOrderMark = '\uFEFF';

/** Reads a JSON body; an empty one is `{}`. Keys that would reach into prototypes are refused. */
export const json: BodyParser = {
  contentType: jsonType,
  async parse(event) {
    if (!event.body?.trim()) return {};
    requireJson(event);
    const text = readBody(event);
    // The parser would skip it, and what counts requests by their bodies would not.
    if (text.startsWith(byteOrderMark)) throw new AppError('request.malformed');
    try {
      return parse(text);
    } catch (cause) {
      throw new AppError('request.malformed', { cause });
    }
  },
};
