/** The answer to a GET or HEAD of an object, as S3 and COS give it; undefined for a range behind its end. */
export function answerObject(bytes: Buffer, headers: Record<string, string>, range = '') {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  if (from === undefined) return { status: 200, headers, body: bytes };
  const start = Number(from);
  if (start >= bytes.length) return undefined;
  const end = Math.min(to ? Number(to) + 1 : bytes.length, bytes.length);
  const part = { ...headers, 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` };
  return { status: 206, headers: part, body: bytes.subarray(start, end) };
}
