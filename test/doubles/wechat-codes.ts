import { randomBytes } from 'node:crypto';

interface IssuedCode<Subject> {
  appId: string;
  subject: Subject;
  expiresAt: number;
  isUsed: boolean;
}

/** The result of using a code: its user, or why it is refused. */
export type Redeemed<Subject> = Subject | 'unknown' | 'used' | 'expired' | 'other app';

/** Single-use codes, valid for one app and some minutes. */
export class WechatCodes<Subject extends object> {
  readonly #codes = new Map<string, IssuedCode<Subject>>();
  readonly #lifeMs: number;
  readonly #now: () => number;

  constructor(lifeSeconds: number, now: () => number) {
    this.#lifeMs = lifeSeconds * 1000;
    this.#now = now;
  }

  issue(appId: string, subject: Subject): string {
    const code = randomBytes(16).toString('hex');
    this.#codes.set(code, { appId, subject, expiresAt: this.#now() + this.#lifeMs, isUsed: false });
    return code;
  }

  redeem(appId: string, code: string): Redeemed<Subject> {
    const issued = this.#codes.get(code);
    if (!issued) return 'unknown';
    if (issued.appId !== appId) return 'other app';
    if (issued.isUsed) return 'used';
    if (issued.expiresAt <= this.#now()) return 'expired';
    issued.isUsed = true;
    return issued.subject;
  }
}
