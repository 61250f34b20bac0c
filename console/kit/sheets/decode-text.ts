/** The text of a file in UTF-8, or in GBK as Chinese spreadsheets write it. @throws TypeError if it is neither */
export function decodeText(bytes: Uint8Array): { text: string; encoding: 'UTF-8' | 'GBK' } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('gbk', { fatal: true }).decode(bytes), encoding: 'GBK' };
  }
}
