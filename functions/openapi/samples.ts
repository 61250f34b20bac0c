/** A request ID as AWS Lambda makes them. */
export const sampleRequestId = '8f6b3c1e-5f0a-4f7e-9f43-0f6f5f3d2b1a';

/** Values for the placeholders of messages, as samples show them. */
export const sampleParams: Record<string, string | number> = {
  count: 1,
  expected: 'application/json',
  extensions: 'jpg, jpeg, png, gif, bmp, webp, svg',
  found: 'onload',
  limit: 5,
  name: 'system.overview',
  offset: 4_194_304,
  seconds: 42,
  size: '64 KiB',
  types: 'image, video, file',
};
