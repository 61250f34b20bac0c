import { describe, expect, test } from '@jest/globals';
import { bodyOf } from '#console/kit/uploads/direct-body.ts';

const file = new File(['0123456789'], 'a.txt', { type: 'text/plain' });
const form = { method: 'POST', fields: { key: 'k', token: 't' }, file_field: 'blob' } as const;

describe('the body of a direct upload', () => {
  test('is a form with the file as its last field', async () => {
    const body = bodyOf(form, file, 0, 10);

    if (!(body instanceof FormData)) throw new Error('no form');
    expect([...body.keys()]).toEqual(['key', 'token', 'blob']);
    const sent = body.get('blob');
    if (!(sent instanceof File)) throw new Error('no file');
    expect([sent.name, await sent.text()]).toEqual(['a.txt', '0123456789']);
  });

  test('names the place of a part', async () => {
    const body = bodyOf({ ...form, part_size: 4 }, file, 4, 8);

    if (!(body instanceof FormData)) throw new Error('no form');
    expect(body.get('offset')).toBe('4');
    expect(await Object(body.get('blob')).text()).toBe('4567');
  });

  test('is the file itself for PUT, without a name or a field', async () => {
    const body = bodyOf({ method: 'PUT', fields: {}, file_field: '' }, file, 0, 10);

    expect(body).not.toBeInstanceOf(FormData);
    expect(await Object(body).text()).toBe('0123456789');
    expect(Object(body).type).toBe('text/plain');
  });
});
