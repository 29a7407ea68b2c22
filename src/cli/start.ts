import { enableCompileCache } from 'node:module';

// Stripping types from a hundred files costs more than most commands do; the cache keeps the result.
enableCompileCache();
const { main } = await import('./main.ts');
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});
process.exitCode = await main(process.argv.slice(2));
