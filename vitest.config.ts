import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'conformance/**/*.test.ts'],
    exclude: ['test/pages/**', 'test/nodes/**', 'test/crash/**', 'test/python/**', 'test/clients/**'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 60_000,
    pool: 'threads',
  },
});
