/** Which methods an address answers to, from patterns such as `/v2/members/:member_id`. */
export class PathTable {
  readonly #patterns: Array<{ readonly form: RegExp; readonly method: string }> = [];

  add(method: string, pattern: string): void {
    const form = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:[a-z_]+/g, '[^/]+')}/?$`);
    this.#patterns.push({ form, method });
  }

  methodsAt(path: string): string[] {
    const methods = this.#patterns.filter(({ form }) => form.test(path)).map(({ method }) => method);
    if (methods.includes('GET')) methods.push('HEAD');
    return [...new Set(methods)].sort();
  }
}
