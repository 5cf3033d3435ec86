import type { TestApp } from '../app.ts';

const home = 'http://localhost:4242';

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
}

export interface Browser {
  /** Requests one page from Burgee or the provider, with the cookies set there. */
  readonly open: (url: string) => Promise<Answer>;
  /** Follows redirects to a page of Burgee other than the callback, and returns its URL. */
  readonly follow: (
    url: string,
    onTheWay?: (url: URL) => void,
  ) => Promise<{ readonly landed: string; readonly passed: readonly string[] }>;
  readonly cookies: ReadonlyMap<string, string>;
  /** Sends an API request as the user who is signed in. */
  readonly ask: (path: string) => ReturnType<TestApp['ask']>;
}

const headerOf = (jar: ReadonlyMap<string, string>) =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

function keep(jar: Map<string, string>, setCookies: readonly string[]): void {
  for (const text of setCookies) {
    const [pair = '', ...attributes] = text.split(';');
    const [name = '', ...value] = pair.split('=');
    const isOver = attributes.some((each) =>
      /^\s*(max-age=0|expires=Thu, 01 Jan 1970)/i.test(each),
    );
    if (isOver) jar.delete(name);
    else jar.set(name, value.join('='));
  }
}

/** A minimal browser for a sign-in: cookies and redirects. */
export function openBrowser({ app }: Pick<TestApp, 'app'>): Browser {
  const ours = new Map<string, string>();
  const theirs = new Map<string, string>();

  async function openHere(path: string): Promise<Answer> {
    const { statusCode, headers, body } = await app.inject({
      url: path,
      headers: { cookie: headerOf(ours) },
    });
    keep(ours, [headers['set-cookie'] ?? []].flat());
    return { status: statusCode, location: headers.location as string | undefined, body };
  }

  async function openThere(url: string): Promise<Answer> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: headerOf(theirs) },
    });
    keep(theirs, response.headers.getSetCookie());
    const location = response.headers.get('location') ?? undefined;
    return { status: response.status, location, body: await response.text() };
  }

  const open = (url: string) => {
    const { origin, pathname, search } = new URL(url, home);
    return origin === home ? openHere(`${pathname}${search}`) : openThere(url);
  };

  return {
    open,
    cookies: ours,
    async follow(start, onTheWay) {
      const passed: string[] = [];
      let next = new URL(start, home);
      for (let steps = 0; steps < 12; steps += 1) {
        onTheWay?.(next);
        const { status, location, body } = await open(next.href);
        passed.push(next.href);
        if (location === undefined) throw new Error(`${status} at ${next.pathname}: ${body}`);
        next = new URL(location, next);
        if (next.origin === home && !next.pathname.startsWith('/auth/')) {
          return { landed: `${next.pathname}${next.search}${next.hash}`, passed };
        }
      }
      throw new Error('redirected in a circle');
    },
    ask: (path) => app.inject({ url: path, headers: { cookie: headerOf(ours) } }),
  };
}
