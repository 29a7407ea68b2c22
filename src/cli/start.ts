import { main } from './main.ts';

// Whoever reads us may have seen enough (`| head -1`): that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
process.exitCode = await main(process.argv.slice(2));
