type Attributes = Readonly<Record<string, string | boolean | null>>;
type Child = Node | string | null;

const fill = <E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== null));
  return element;
};

/** Children are inserted as text, never as markup. */
export const createHtmlElement = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] => fill(document.createElement(tag), attributes, children);

const shapes = {
  door: 'M6 21V3.5h12V21M3 21h18M14.5 12v1',
  lock: 'M6 11h12v9.5H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  place: 'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  phone:
    'M5 4h4l1.5 4.5L8 10a12 12 0 0 0 6 6l1.5-2.5L20 15v4a1.5 1.5 0 0 1-1.7 1.5A16 16 0 0 1 3.5 5.7 1.5 1.5 0 0 1 5 4z',
  mail: 'M3.5 5.5h17v13h-17zM4 6l8 6.5L20 6',
} as const;

export type GuestIconName = keyof typeof shapes;

export const createIconElement = (shape: GuestIconName): SVGElement => {
  const space = 'http://www.w3.org/2000/svg';
  const path = fill(document.createElementNS(space, 'path'), { d: shapes[shape] }, []);
  return fill(document.createElementNS(space, 'svg'), { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, [path]);
};

/** Replaces the content of the page. */
export const replacePageContent = (...content: readonly Child[]): void =>
  document.querySelector('#page')!.replaceChildren(...content.filter(child => child !== null));
