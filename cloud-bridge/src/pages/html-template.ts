const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is safe to send, created only by `html`. */
export class HtmlMarkup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | HtmlMarkup | null | readonly HtmlMarkup[];

const render = (part: Part): string => {
  if (part === null) return '';
  if (part instanceof HtmlMarkup) return part.text;
  if (typeof part === 'object') return part.map(markup => markup.text).join('');
  return String(part).replaceAll(/[&<>"']/g, character => entities[character]!);
};

/** Template tag that escapes its values, except values of type `HtmlMarkup`. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): HtmlMarkup =>
  new HtmlMarkup(strings.map((text, index) => text + render(parts[index] ?? null)).join(''));
