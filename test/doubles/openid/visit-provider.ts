/** What the provider sends back to the console. */
export type Callback = Record<string, string>;

/** A browser at the provider, with cookies of its own. @returns the parameters of the redirect to the console */
export async function visitProvider(url: string, name: string): Promise<Callback> {
  const cookies = new Map<string, string>();
  const ask = async (at: string, body?: URLSearchParams) => {
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((each) => each.join('=')).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(key, value);
    }
    return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') };
  };
  const { origin } = new URL(url);
  let at = url;
  for (let step = 0; step < 10; step += 1) {
    const isForm = new URL(at).pathname.startsWith('/interaction/');
    const form = new URLSearchParams({ prompt: 'login', login: name, password: 'any' });
    const { to, status, text } = await ask(at, isForm ? form : undefined);
    if (!to) throw new Error(`the provider answered ${status}: ${text.slice(0, 500)}`);
    const next = new URL(to, at);
    if (next.origin !== origin) return Object.fromEntries(next.searchParams);
    at = next.href;
  }
  throw new Error('the provider redirects for ever');
}
