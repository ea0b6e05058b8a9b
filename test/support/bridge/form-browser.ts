import type { Bridge } from '@lintel/cloud-bridge/main';

export interface FormPage {
  readonly status: number;
  readonly location: string | undefined;
  readonly html: string;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
}

interface Form {
  readonly action: string;
  readonly method: string;
  readonly fields: Record<string, string>;
}

const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string =>
  unescape(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/** The forms of a page with their preset values. */
const formsOf = (html: string): Form[] =>
  [...html.matchAll(/<form[\s\S]*?<\/form>/g)].map(([form]) => {
    const [opening = ''] = /<form[^>]*>/.exec(form) ?? [];
    const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input);
    const filled = inputs.filter(input => !/type="(?:radio|checkbox)"/.test(input) || input.includes(' checked'));
    return {
      action: attribute(opening, 'action'),
      method: attribute(opening, 'method').toUpperCase(),
      fields: Object.fromEntries(filled.map(input => [attribute(input, 'name'), attribute(input, 'value')])),
    };
  });

/** A browser without rendering: keeps cookies, follows redirects, fills in and submits forms. */
export class FormBrowser {
  readonly #app: Bridge['app'];
  readonly cookies = new Map<string, string>();
  readonly #ip: string;

  constructor(app: Bridge['app'], ip = '203.0.113.7') {
    this.#app = app;
    this.#ip = ip;
  }

  async #request(
    method: 'GET' | 'POST',
    url: string,
    payload?: string,
    headers: Record<string, string> = {},
  ): Promise<FormPage> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#app.inject({
      method,
      url,
      remoteAddress: this.#ip,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    for (const { name, value, maxAge } of answer.cookies) {
      if (value === '' || maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = answer.headers.location;
    return { status: answer.statusCode, location, html: answer.body, headers: answer.headers };
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.get('/login')).html.includes('You are signed in');
  }

  get(url: string): Promise<FormPage> {
    return this.#request('GET', url);
  }

  post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<FormPage> {
    return this.#request('POST', url, new URLSearchParams(fields).toString(), headers);
  }

  /** Submits the first form of the page with these fields added to the preset ones. */
  submit(page: FormPage, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<FormPage> {
    const [form] = formsOf(page.html);
    if (form === undefined) throw new Error(`No form on this page (${page.status}): ${page.html}`);
    const all = { ...form.fields, ...fields };
    if (form.method === 'GET') return this.get(`${form.action}?${new URLSearchParams(all).toString()}`);
    return this.post(form.action, all, headers);
  }

  /** Follows redirects to paths of the bridge. */
  async follow(page: FormPage): Promise<FormPage> {
    let here = page;
    while (here.location?.startsWith('/') === true) here = await this.get(here.location);
    return here;
  }

  async logIn(email: string, password: string): Promise<FormPage> {
    return this.submit(await this.get('/login'), { email, password });
  }
}
