import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/pages/**/*.test.ts'],
    globalSetup: ['test/pages/set-up.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    maxWorkers: 1,
  },
});
