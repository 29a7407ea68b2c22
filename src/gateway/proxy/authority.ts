import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { preloadSource } from './preload.ts';
import { pythonPreloadSource } from './python-preload.ts';

/**
 * The files that make programs trust a proxy, in a temporary folder of their own that only this user may
 * enter. The authority's key is not among them.
 */
export class Authority {
  /** Certificates that a program is to trust: our own, and the system's where hosts are passed through. */
  readonly bundle: string;
  /** Our own certificate alone, for runtimes that add it to those they know. */
  readonly certificate: string;
  /** A module for `node --require` that sends connections of every Node version to the proxy. */
  readonly preload: string;
  /** A folder for Python's path, whose `sitecustomize` does the same. */
  readonly pythonPath: string;
  readonly #folder: string;
  readonly #removeAtExit = (): void => this.remove();

  constructor({
    certificate,
    port,
    allow,
  }: {
    readonly certificate: string;
    readonly port: number;
    readonly allow: readonly string[];
  }) {
    this.#folder = mkdtempSync(join(tmpdir(), 'groundhog-proxy-'));
    process.once('exit', this.#removeAtExit);
    const known =
      allow.length === 0 ? [] : [...new Set(['default', 'system'] as const)].flatMap(certificates);
    this.certificate = this.#write('authority.pem', certificate);
    this.bundle = this.#write('bundle.pem', [certificate, ...new Set(known)].join('\n'));
    this.preload = this.#write('preload.cjs', preloadSource({ port, allow }));
    this.pythonPath = join(this.#folder, 'python');
    mkdirSync(this.pythonPath, { mode: 0o700 });
    this.#write('python/sitecustomize.py', pythonPreloadSource({ port, allow }));
  }

  /** Removes the files. */
  remove(): void {
    process.removeListener('exit', this.#removeAtExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(name: string, text: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }
}

function certificates(type: 'default' | 'system'): readonly string[] {
  return getCACertificates(type);
}
