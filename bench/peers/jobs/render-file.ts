/** A file's item as it is answered. */
export function renderFile(item: Record<string, unknown>) {
  const { id, cid = null, type, name, ext, mime, size, module, tag, created_at } = item;
  const uri = `${process.env.PUBLIC_URL}/${item.uri}`;
  const uploader = { kind: item.uploader_kind, id: item.uploader_id ?? null };
  return { id, cid, type, name, uri, url: uri, ext, mime, size, module, tag, uploader, created_at };
}
