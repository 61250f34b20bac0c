import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionAnswer } from '../../support/functions.ts';
import { cursorKind, kindOf } from '../generate/known.ts';
import { respell } from '../generate/respell.ts';

/** How many things of a kind are known at a time. */
const mostOfKind = 8;

/** What exists in a world and can be named, the latest first: `~article.0~`; `~ticket.0.2~` is respelled. */
export class Things {
  readonly #byKind = new Map<string, string[]>();
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  add(kind: string, name: unknown): void {
    if (typeof name !== 'string') return;
    const others = (this.#byKind.get(kind) ?? []).filter((each) => each !== name);
    this.#byKind.set(kind, [name, ...others].slice(0, mostOfKind));
  }

  /** Replaces placeholders by the names of things; unknown placeholders stay. */
  fill = (text: string): string =>
    text.replace(/~(\w+)\.(\d)(?:\.(\d))?~/g, (whole, kind: string, index: string, way?: string) => {
      const known = this.#byKind.get(kind) ?? [];
      const thing = known[Number(index) % known.length];
      if (thing === undefined) return whole;
      return way === undefined ? thing : respell(thing, Number(way));
    });

  /** Stores the names of things in an answer. */
  learn(path: string, { status, headers, body }: FunctionAnswer): void {
    if (status !== 200) return;
    this.add('etag', headers.etag);
    if (!headers['content-type']?.startsWith('application/json')) return;
    const json = Object(JSON.parse(body.toString()));
    const data = Object(json.data);
    this.#learnConnection(json);
    const kind = path.includes('/upload/') ? 'file' : kindOf(path);
    if (kind) this.add(kind, data.id);
    // No request answers the ID of the entry that it leaves in the audit log; the list does.
    if (kind === 'audit') for (const { id } of [data.list ?? []].flat()) this.add(kind, id);
    this.add(cursorKind(path), data.next_cursor);
    if (path.endsWith('/type/add')) this.add('dict', data.type_key);
    this.add('ticket', data.ticket);
    this.add('captcha', data.captcha_token);
    if (kind === 'file' && typeof data.uri === 'string') this.add('uri', data.uri.split('/storage/')[1]);
    for (const { confirm_token } of [data.pending ?? []].flat()) this.add('confirm', confirm_token);
    if (path === '/api/system/login/sendCode') this.#learnCode();
  }

  /** The code or the tokens of a connection by OAuth. */
  #learnConnection({ data, access_token, refresh_token }: Record<string, unknown>): void {
    this.add('oauth_access', access_token);
    this.add('oauth_refresh', refresh_token);
    const code = URL.parse(String(Object(data).redirect))?.searchParams.get('code');
    if (code) this.add('oauth_code', code);
  }

  /** The last message that the local driver wrote. */
  #learnCode(): void {
    const line = readFileSync(join(this.#dataDir, 'sms.jsonl'), 'utf8').trim().split('\n').at(-1) ?? '{}';
    const { mobile, scene, code } = JSON.parse(line);
    this.add(`mobile_${scene}`, mobile);
    this.add(`code_${scene}`, code);
  }
}
