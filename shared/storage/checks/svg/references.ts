// A part of this file, or a raster picture within it. Anything else is fetched, run, or may hold both.
const fragment = /^#[^\\]*$/;
const raster = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[a-z\d+/]*=*$/i;

/** Whether a link leads nowhere outside the file: a fragment or an embedded raster picture. */
export function isInnerReference(value: string): boolean {
  // Editors wrap long data, and browsers take the white space out as well.
  const link = value.replace(/[\t\n\r ]+/g, '');
  return link === '' || fragment.test(link) || raster.test(link);
}
