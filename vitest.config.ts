import { defineConfig } from 'vitest/config';

const source = (folder: string): string => new URL(`src/${folder}`, import.meta.url).pathname;

export default defineConfig({
  // Examples name the package as its users do.
  resolve: {
    alias: [
      { find: /^groundhog$/u, replacement: source('index.ts') },
      { find: /^groundhog\/vitest$/u, replacement: source('vitest/index.ts') },
    ],
  },
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'conformance/**/*.test.ts',
      'examples/vitest/*.test.ts',
    ],
    exclude: ['test/pages/**', 'test/nodes/**', 'test/crash/**', 'test/python/**', 'test/clients/**'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 60_000,
    pool: 'threads',
  },
});
