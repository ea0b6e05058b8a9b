const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is safe to send: made by `html` alone. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | null | readonly Markup[];

const rendered = (part: Part): string => {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(one => one.text).join('');
  return String(part).replaceAll(/[&<>"']/g, character => entities[character]!);
};

/** A template whose values are escaped, unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(strings.map((text, index) => text + rendered(parts[index] ?? null)).join(''));
