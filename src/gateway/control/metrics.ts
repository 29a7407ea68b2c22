import type { SessionHost } from '../host/index.ts';

/** What the listener counts. */
export interface ListenerFigures {
  /** Answers by door and status, as `rest 200`. */
  readonly counts: ReadonlyMap<string, number>;
  readonly connections: number;
}

/** The figures of the process in Prometheus text format. */
export function metricsText(host: SessionHost, listener: ListenerFigures | null): string {
  const usage = process.cpuUsage();
  const memory = process.memoryUsage();
  const lines = [
    ...single('process_cpu_seconds_total', 'counter', (usage.user + usage.system) / 1e6),
    ...single('process_resident_memory_bytes', 'gauge', memory.rss),
    ...single('nodejs_heap_size_used_bytes', 'gauge', memory.heapUsed),
  ];
  if (listener) {
    lines.push(...single('groundhog_connections', 'gauge', listener.connections));
    lines.push('# TYPE groundhog_requests_total counter');
    for (const [key, count] of listener.counts) {
      const [door = '', status = ''] = key.split(' ');
      lines.push(`groundhog_requests_total{door="${door}",status="${status}"} ${count}`);
    }
  }
  const { calls, ...counters } = host.counters();
  lines.push('# TYPE groundhog_calls_total counter');
  for (const [door, count] of Object.entries(calls)) {
    lines.push(`groundhog_calls_total{door="${door}"} ${count}`);
  }
  for (const [name, count] of Object.entries(counters)) {
    lines.push(...single(`groundhog_${snake(name)}`, 'gauge', count));
  }
  return `${lines.join('\n')}\n`;
}

function single(name: string, type: 'counter' | 'gauge', value: number): string[] {
  return [`# TYPE ${name} ${type}`, `${name} ${value}`];
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`).replaceAll(/[^a-z0-9_]/gu, '_');
}
