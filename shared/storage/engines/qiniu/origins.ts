/**
 * The origin of a host as settings and region answers give it: with or without a scheme, a port or a slash
 * at its end.
 *
 * @param https whether a host without a scheme speaks https
 */
export function toOrigin(host: string, https: boolean): string {
  const bare = host.replace(/\/+$/, '');
  return /^https?:\/\//.test(bare) ? bare : `${https ? 'https' : 'http'}://${bare}`;
}
