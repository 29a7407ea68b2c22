import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/nodes/**/*.test.ts'],
    globalSetup: ['test/nodes/install.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
