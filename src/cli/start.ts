import { main } from './main.ts';

// Whoever reads us may have seen enough (`| head -1`): that is no error. A command that has work to finish
// nevertheless listens too.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (stream.listenerCount('error') === 1) process.exit(0);
  });
}
process.exitCode = await main(process.argv.slice(2));
