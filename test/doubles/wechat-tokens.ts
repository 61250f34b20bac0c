import { randomBytes } from 'node:crypto';

interface IssuedToken {
  appId: string;
  expiresAt: number;
  isVoid: boolean;
}

/** In its last five minutes a stable token is replaced; both are valid then. */
const overlapMs = 300_000;

/** Access tokens by WeChat's rules: the stable ones, and those of `/cgi-bin/token` apart from them. */
export class WechatTokens {
  readonly #tokens = new Map<string, IssuedToken>();
  /** The latest token by kind and app. */
  readonly #latest = new Map<string, string>();
  readonly #lifeMs: number;
  readonly #now: () => number;

  constructor(lifeSeconds: number, now: () => number) {
    this.#lifeMs = lifeSeconds * 1000;
    this.#now = now;
  }

  /** The same token until its last five minutes; forced, a new one that voids it. */
  issueStable(appId: string, isForced = false): { token: string; expiresIn: number } {
    const latest = this.#latest.get(`stable ${appId}`);
    const issued = latest === undefined ? undefined : this.#tokens.get(latest);
    if (isForced && issued) issued.isVoid = true;
    if (latest !== undefined && issued && !issued.isVoid && issued.expiresAt - this.#now() > overlapMs) {
      return { token: latest, expiresIn: Math.floor((issued.expiresAt - this.#now()) / 1000) };
    }
    return this.#create(appId, 'stable');
  }

  /** A new token each time, which voids the one before. */
  issuePlain(appId: string): { token: string; expiresIn: number } {
    const issued = this.#tokens.get(this.#latest.get(`plain ${appId}`) ?? '');
    if (issued) issued.isVoid = true;
    return this.#create(appId, 'plain');
  }

  /** The app that a token speaks for, or the errcode of its refusal. */
  check(token: string): string | number {
    if (!token) return 41001;
    if (!/^[\w-]{16,512}$/.test(token)) return 40014;
    const issued = this.#tokens.get(token);
    if (!issued || issued.isVoid) return 40001;
    return issued.expiresAt <= this.#now() ? 42001 : issued.appId;
  }

  #create(appId: string, kind: 'stable' | 'plain'): { token: string; expiresIn: number } {
    const token = randomBytes(64).toString('base64url');
    this.#tokens.set(token, { appId, expiresAt: this.#now() + this.#lifeMs, isVoid: false });
    this.#latest.set(`${kind} ${appId}`, token);
    return { token, expiresIn: this.#lifeMs / 1000 };
  }
}
