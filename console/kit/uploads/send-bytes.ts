/** An answer to bytes that were sent. */
export interface UploadAnswer {
  /** 0 if nothing answered. */
  status: number;
  text: string;
  retryAfter: string | null;
}

/** Where bytes go. */
export interface UploadTarget {
  /** @default 'POST' */
  method?: 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
}

/**
 * Sends a form, or a file itself. This uses XMLHttpRequest, because `fetch` does not report how many bytes were sent.
 *
 * @param onSent gets the bytes of the file that have left
 * @throws the signal's reason
 */
export function sendBytes(
  { method = 'POST', url, headers }: UploadTarget,
  body: FormData | Blob,
  fileBytes: number,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    // A form's own fields are small: the last bytes are the file's.
    request.upload.onprogress = ({ loaded, total }) => onSent(Math.max(0, fileBytes - (total - loaded)));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => {
      signal.removeEventListener('abort', abort);
      const { status, responseText } = request;
      resolve({ status, text: responseText, retryAfter: request.getResponseHeader('retry-after') });
    };
    request.send(body);
  });
}
