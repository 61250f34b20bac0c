/** A login at the OpenID provider that this tab has begun. */
export interface SsoFlow {
  purpose: 'login' | 'invitation' | 'bind';
  /** Proves that this tab has begun it. */
  flow: string;
  /** The page to show afterwards. */
  to: string;
  /** What it accepts. */
  invitation?: string | undefined;
}

/** What the provider sends back. */
export interface SsoParameters {
  state: string;
  code?: string;
  iss?: string;
  error?: string;
}

// It stays in this tab: another browser cannot end the login.
const storageKey = 'console.sso';

export const rememberFlow = (flow: SsoFlow): void => sessionStorage.setItem(storageKey, JSON.stringify(flow));

/** The begun login, once; undefined if this tab has begun none. */
export function takeFlow(): SsoFlow | undefined {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return text === null ? undefined : JSON.parse(text);
}

/** What the provider has put into the address. */
export function readSsoParameters(search: string): SsoParameters {
  const given = new URLSearchParams(search);
  const [code, iss, error] = ['code', 'iss', 'error'].map((name) => given.get(name));
  return {
    state: given.get('state') || '-',
    ...(code && { code }),
    ...(iss && { iss }),
    ...(error && { error: error.slice(0, 100) }),
  };
}

/** Whether single sign-on is set up, and the text of its button: the service writes it into the index. */
export const ssoLabel: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[name=sso]')?.content;
