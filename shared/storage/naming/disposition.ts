/** The header `content-disposition` that shows a file, and saves it by a name (RFC 6266, RFC 8187). */
export function toDisposition(name: string): string {
  if (/^[\w. -]+$/.test(name)) return `inline; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename*=UTF-8''${encoded}`;
}
