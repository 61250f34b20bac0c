import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { describeFields } from '#shared/audit/fields.ts';
import { convertMedia } from '#shared/media/convert-media.ts';
import { mediaUrl, toPublicUrl } from '#shared/media/media-url.ts';
import { label, secret } from '#shared/schema/marks.ts';
import { receivedFile } from '#shared/schema/received-file.ts';
import { hints, titled } from '#shared/schema/titled.ts';
import { createWriter } from '../../functions/openapi/fixture.ts';

const name = { zh_CN: '名称', en: 'Name' };

describe('a schema with a label', () => {
  test('has the label, and the schema that it was made from has none', () => {
    const plain = z.string();
    const copy = titled(name, plain);

    expect(hints.get(copy)).toEqual(name);
    expect(hints.get(plain)).toBeUndefined();
  });

  test('keeps the other hints of the schema, and its label covers the earlier one', () => {
    const id = titled({ ...name, type: 'id' }, z.string());
    const copy = titled({ zh_CN: '订单', en: 'Order' }, id);

    expect(hints.get(copy)).toEqual({ zh_CN: '订单', en: 'Order', type: 'id' });
    expect(hints.get(id)).toEqual({ ...name, type: 'id' });
  });

  test('is validated as before', () => {
    const copy = titled(name, z.string().check(z.minLength(2)));

    expect(z.safeParse(copy, 'ab').success).toBe(true);
    expect(z.safeParse(copy, 'a').success).toBe(false);
  });

  test('keeps its marks for the audit log', () => {
    const schema = z.strictObject({
      name: titled(name, label(z.string())),
      key: titled(name, secret(z.string())),
      note: titled(name, z.string()),
    });

    expect(describeFields(schema, { name: 'a', key: 'b', note: 'c' })).toEqual({
      name: 'a',
      note: { length: 1 },
    });
  });

  test('keeps the conversion of media', () => {
    const schema = z.strictObject({ cover: titled(name, mediaUrl()) });
    const stored = 'storage/uploads/a.png';

    expect(convertMedia(schema, { cover: stored })).toEqual({ cover: toPublicUrl(stored) });
    expect(toPublicUrl(stored)).not.toBe(stored);
  });

  test('is a file in the API reference, and loses the rules of stored media', () => {
    const { write } = createWriter();

    expect(write(titled(name, receivedFile), 'input')).toEqual({ type: 'string', format: 'binary' });
    expect(write(titled(name, mediaUrl(z.maxLength(500))), 'input')).toEqual({
      type: 'string',
      description: 'rule.media_url; rule.private_file',
    });
  });
});
