import { randomBytes } from 'node:crypto';

/** An error as OSS answers it. */
export class OssRefusal extends Error {
  override readonly name = 'OssRefusal';
  readonly status: number;
  readonly code: string;
  /** The finer code, as `0006-00000227`. */
  readonly ec: string;

  constructor(status: number, code: string, message: string, ec = '0001-00000001') {
    super(message);
    this.status = status;
    this.code = code;
    this.ec = ec;
  }

  toXml(requestId: string, host: string): string {
    const elements = {
      Code: this.code,
      Message: this.message,
      RequestId: requestId,
      HostId: host,
      EC: this.ec,
    };
    const lines = Object.entries(elements).map(([name, text]) => `  <${name}>${escapeXml(text)}</${name}>`);
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>\n${lines.join('\n')}\n</Error>\n`;
  }
}

/** As OSS numbers requests. */
export const newRequestId = (): string => randomBytes(12).toString('hex').toUpperCase();

const escapeXml = (text: string): string => text.replace(/[<&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
