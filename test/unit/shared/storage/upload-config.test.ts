import { describe, expect, test } from '@jest/globals';
import { mimeTypes, uploadConfig, uploadTypes } from '#shared/config/upload.ts';

describe('upload configuration', () => {
  test('is the table of the specification', () => {
    expect(uploadConfig).toEqual({
      image: { extensions: ['jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'svg'], maxSizeBytes: 5_242_880 },
      video: { extensions: ['mp4', 'mov', 'avi', 'wmv', 'mkv', 'webm'], maxSizeBytes: 52_428_800 },
      file: {
        extensions: ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'zip', 'rar', 'txt', 'md'],
        maxSizeBytes: 20_971_520,
      },
    });
    expect(uploadTypes).toEqual(['image', 'video', 'file']);
    const limits = uploadTypes.map((type) => uploadConfig[type].maxSizeBytes);
    expect(limits).toEqual([5_242_880, 52_428_800, 20_971_520]);
  });

  test('knows the MIME type of every extension', () => {
    const extensions = uploadTypes.flatMap((type): readonly string[] => uploadConfig[type].extensions);

    expect(Object.keys(mimeTypes).sort()).toEqual(extensions.sort());
    expect(Object.values(mimeTypes).every((mime) => /^[a-z]+\/[\w.+-]+$/.test(mime))).toBe(true);
  });
});
