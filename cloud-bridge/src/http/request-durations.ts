const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const NAME = 'lintel_http_request_duration_seconds';

class Series {
  readonly #labels: string;
  /** How many took no longer than each bound, but longer than the one before; the last: longer than all. */
  readonly #counts = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  #sum = 0;

  constructor(method: string, route: string, status: number) {
    this.#labels = `method="${method}",route="${route}",status="${status}"`;
  }

  add(seconds: number): void {
    let index = 0;
    while (index < BOUNDS.length && seconds > BOUNDS[index]!) index++;
    this.#counts[index]! += 1;
    this.#sum += seconds;
  }

  *lines(): Generator<string> {
    let total = 0;
    for (const [index, count] of this.#counts.entries()) {
      total += count;
      yield `${NAME}_bucket{le="${BOUNDS[index] ?? '+Inf'}",${this.#labels}} ${total}`;
    }
    yield `${NAME}_sum{${this.#labels}} ${this.#sum}`;
    yield `${NAME}_count{${this.#labels}} ${total}`;
  }
}

/**
 * A Prometheus histogram by method, route and status. Every request passes here, and the general one of the library takes
 * as long as a fifth of a plain request to find its labels.
 */
export class RequestDurations {
  readonly #byRoute = new Map<string, Map<string, Series>>();

  add(method: string, route: string, status: number, seconds: number): void {
    const ofRoute = this.#byRoute.get(route) ?? new Map<string, Series>();
    if (ofRoute.size === 0) this.#byRoute.set(route, ofRoute);
    const key = `${method} ${status}`;
    let series = ofRoute.get(key);
    if (series === undefined) {
      series = new Series(method, route, status);
      ofRoute.set(key, series);
    }
    series.add(seconds);
  }

  text(): string {
    const all = [...this.#byRoute.values()].flatMap(ofRoute => [...ofRoute.values()]);
    const head = [`# HELP ${NAME} Time from a request to the end of its answer`, `# TYPE ${NAME} histogram`];
    return [...head, ...all.flatMap(series => [...series.lines()]), ''].join('\n');
  }
}
