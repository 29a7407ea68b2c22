import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/crash/**/*.test.ts'], testTimeout: 240_000, fileParallelism: false },
});
