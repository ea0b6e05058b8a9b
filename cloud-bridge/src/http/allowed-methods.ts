/** The HTTP methods of each path, from route patterns such as `/v2/members/:member_id`. */
export class AllowedMethods {
  readonly #patterns: Array<{ readonly regExp: RegExp; readonly method: string }> = [];

  add(method: string, pattern: string): void {
    const regExp = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:[a-z_]+/g, '[^/]+')}/?$`);
    this.#patterns.push({ regExp, method });
  }

  methodsAt(path: string): string[] {
    const methods = this.#patterns.filter(({ regExp }) => regExp.test(path)).map(({ method }) => method);
    if (methods.includes('GET')) methods.push('HEAD');
    return [...new Set(methods)].sort();
  }
}
