/** An SVG file. `style` has rules for light and dark mode. */
export const svgDocument = (
  [width, height]: readonly [number, number],
  title: string,
  style: string,
  elements: readonly string[],
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<title>${title}</title>
<style>${style}
</style>
${elements.join('\n')}
</svg>
`;
